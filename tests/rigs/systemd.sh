#!/usr/bin/env bash
# systemd as process 1 in a virtual machine. First evening: the installed service starts at boot in its sandbox, is found
# by name, plays a round, is killed, hangs, is installed over itself, and each time comes back with the game; then the
# machine is switched off by the file that the buttons leave. Second evening: the game is there; --uninstall leaves the data.
#     tests/rigs/systemd.sh [bookworm|trixie]
# shellcheck source-path=SCRIPTDIR source=rig.sh
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/rig.sh"
suite=${1:-bookworm}

need debootstrap qemu-system-x86 e2fsprogs git
make_system "$suite" amd64 ca-certificates,python3,systemd,systemd-sysv,dbus,udev,linux-image-cloud-amd64,initramfs-tools,avahi-utils
copy_project "$system/srv/table-companion"

say "./run --install"
inside /srv/table-companion/run --install
inside systemd-analyze security --offline=true --threshold=20 /etc/systemd/system/table-companion.service | tail -n 1

mkdir -p "$system/etc/systemd/system/table-companion.service.d"
cat >"$system/etc/systemd/system/table-companion.service.d/rig.conf" <<UNIT
[Service]
ExecStart=
ExecStart=/opt/table-companion/.venv/bin/companion run --port 80 --data \${STATE_DIRECTORY} --camera sim --panel mock --join-code rigcode1
UNIT
cat >"$system/etc/systemd/system/rig.service" <<UNIT
[Unit]
Description=What the rig checks
After=table-companion.service multi-user.target

[Service]
Type=oneshot
WorkingDirectory=/srv/table-companion
ExecStart=/bin/sh -c 'exec python3 -u -m tests.rigs.inside_systemd >/dev/ttyS0 2>&1'

[Install]
WantedBy=multi-user.target
UNIT
printf '[Match]\nName=en*\n[Network]\nDHCP=ipv4\n' >"$system/etc/systemd/network/rig.network"
echo companion-rig >"$system/etc/hostname"
echo '127.0.1.1 companion-rig' >>"$system/etc/hosts"
inside systemctl --quiet enable rig.service systemd-networkd.service
inside systemctl --quiet mask serial-getty@ttyS0.service

say "making the image"
cp "$system"/boot/vmlinuz-* "$rig/vmlinuz"
cp "$system"/boot/initrd.img-* "$rig/initrd"
umount "$system/proc" "$system/sys" "$system/dev"
mke2fs -q -t ext4 -d "$system" "$rig/disk.img" 6G

# boot EVENING: until the machine switches itself off; it reaches no network but this virtual one.
# A panic ends the machine at once: the kernel of Debian 13 falls over the emulator of Debian 12 (QEMU 7.2).
boot() {
    local console=$rig/console-$1.log
    say "booting, the $1 evening"
    timeout 1800 qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 2048 -nographic -no-reboot \
        -nic user,restrict=on,model=virtio-net-pci \
        -kernel "$rig/vmlinuz" -initrd "$rig/initrd" -append "root=/dev/vda rw console=ttyS0 panic=-1 quiet systemd.show_status=no" \
        -drive "file=$rig/disk.img,format=raw,if=virtio" </dev/null >"$console" 2>&1 || fail "the machine did not switch itself off"
    grep '^rig:' "$console" >&2 || true
    grep -q "^rig: PASSED the $1 evening" "$console" || { tail -n 80 "$console" >&2; fail "the checks inside did not pass"; }
}
boot first
boot second
say "PASSED: systemd $suite"
