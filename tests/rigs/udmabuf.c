/* Answers /dev/udmabuf, which many kernels lack, with memory files: all that libcamera's virtual camera needs of it.
 * Preloaded by picamera2.sh. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICE "/dev/udmabuf"
#define CREATE 0x40187542UL /* _IOW('u', 0x42, 24 bytes) */
#define SYNC 0x40086200UL   /* _IOW('b', 0, 8 bytes): the buffers are plain memory, there is nothing to do */

struct wish {
	uint32_t memory_file, flags;
	uint64_t offset, size;
};

static int opened(const char *path)
{
	return path && strcmp(path, DEVICE) == 0 ? memfd_create("udmabuf", MFD_CLOEXEC) : -1;
}

#define OPEN(name)                                                     \
	int name(const char *path, int flags, ...)                     \
	{                                                              \
		static int (*real)(const char *, int, ...);            \
		va_list rest;                                          \
		va_start(rest, flags);                                 \
		mode_t mode = va_arg(rest, mode_t);                    \
		va_end(rest);                                          \
		int ours = opened(path);                               \
		if (ours >= 0)                                         \
			return ours;                                   \
		if (!real)                                             \
			real = dlsym(RTLD_NEXT, #name);                \
		return real(path, flags, mode);                        \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                   \
	int name(int folder, const char *path, int flags, ...)         \
	{                                                              \
		static int (*real)(int, const char *, int, ...);       \
		va_list rest;                                          \
		va_start(rest, flags);                                 \
		mode_t mode = va_arg(rest, mode_t);                    \
		va_end(rest);                                          \
		int ours = opened(path);                               \
		if (ours >= 0)                                         \
			return ours;                                   \
		if (!real)                                             \
			real = dlsym(RTLD_NEXT, #name);                \
		return real(folder, path, flags, mode);                \
	}
OPENAT(openat)
OPENAT(openat64)

int ioctl(int file, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list rest;
	va_start(rest, request);
	void *argument = va_arg(rest, void *);
	va_end(rest);
	if (request == CREATE)
		return fcntl(((struct wish *)argument)->memory_file, F_DUPFD_CLOEXEC, 0);
	if (request == SYNC)
		return 0;
	if (!real)
		real = dlsym(RTLD_NEXT, "ioctl");
	return real(file, request, argument);
}
