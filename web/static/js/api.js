// Every call to the table. A refusal is an Error with the table's code and sentence.

export class Refusal extends Error {
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** One call; the answer as data. */
export async function call(method, url, body) {
  let answer;
  const init = { method, headers: { Accept: "application/json" }, credentials: "same-origin" };
  if (body instanceof FormData) init.body = body;
  else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers["Content-Type"] = "application/json";
  }
  try {
    answer = await fetch(url, init);
  } catch {
    throw new Refusal("no_connection", "", 0);
  }
  const text = await answer.text();
  let data = {};
  try {
    data = text ? JSON.parse(text) : {};
  } catch {
    if (answer.ok) throw new Refusal("not_understood", "", answer.status);
  }
  if (answer.ok) return answer.status === 202 ? { ...data, waiting: true } : data;
  const error = data.error || {};
  throw new Refusal(error.code || `http_${answer.status}`, error.message || "", answer.status);
}

export const get = (url) => call("GET", url);
export const post = (url, body = {}) => call("POST", url, body);
export const put = (url, body) => call("PUT", url, body);
export const remove = (url) => call("DELETE", url);
