// URL and URLSearchParams, after the WHATWG standard for what programs meet: absolute
// and relative addresses, the special schemes, dot segments, queries. Host names are
// lower-cased and percent-decoded; Unicode ones are refused (there is no IDNA here).

const PORTS = { "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21", "file:": "" };
const FORBIDDEN_HOST = /[\0\t\n\r #%/:<>?@[\\\]^|\x7f]/;

const isSpecial = (protocol) => Object.hasOwn(PORTS, protocol);

/** Percent-encodes what is not printable ASCII, and what `also` matches. */
function encode(text, also) {
  return text.replace(/[^]/gu, (character) => {
    const plain = character > "\x20" && character < "\x7f" && !also.test(character);
    return plain ? character : encodeAll(character);
  });
}

function encodeAll(character) {
  return Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

function decode(text) {
  const bytes = [];
  const raw = new TextEncoder().encode(text);
  for (let at = 0; at < raw.length; at++) {
    const pair = raw[at] === 0x25 ? String.fromCharCode(raw[at + 1] ?? 0, raw[at + 2] ?? 0) : "";
    if (/^[0-9a-f]{2}$/i.test(pair)) {
      bytes.push(Number.parseInt(pair, 16));
      at += 2;
    } else {
      bytes.push(raw[at]);
    }
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
}

const PATH = /["#<>?`{}^]/;
const QUERY = /["#<>']/;
const HASH = /["<>`]/;
const USER = /["#<>?`{}/:;=@[\\\]^|]/;

class URLSearchParams {
  #pairs = [];
  #changed;

  constructor(init = "") {
    if (typeof init === "object" && init !== null) {
      if (typeof init[Symbol.iterator] === "function") {
        for (const pair of init) {
          const [name, value, ...rest] = pair;
          if (value === undefined || rest.length > 0) throw new TypeError("URLSearchParams: each item must be a [name, value] pair");
          this.#pairs.push([String(name), String(value)]);
        }
      } else {
        for (const name of Object.keys(init)) this.#pairs.push([name, String(init[name])]);
      }
    } else {
      this.#read(String(init));
    }
  }

  /** The parameters of a URL, which is told of each change. */
  static of(query, changed) {
    const parameters = new URLSearchParams(query);
    parameters.#changed = changed;
    return parameters;
  }

  #read(query) {
    const spaced = (text) => decode(text.replaceAll("+", " "));
    for (const part of query.replace(/^\?/, "").split("&")) {
      if (part === "") continue;
      const at = part.indexOf("=");
      this.#pairs.push(at < 0 ? [spaced(part), ""] : [spaced(part.slice(0, at)), spaced(part.slice(at + 1))]);
    }
  }

  #change(pairs) {
    this.#pairs = pairs;
    this.#changed?.(this.toString());
  }

  get size() {
    return this.#pairs.length;
  }

  append(name, value) {
    this.#change([...this.#pairs, [String(name), String(value)]]);
  }

  delete(name, value) {
    this.#change(this.#pairs.filter(([known, held]) => known !== String(name) || (value !== undefined && held !== String(value))));
  }

  get(name) {
    return this.#pairs.find(([known]) => known === String(name))?.[1] ?? null;
  }

  getAll(name) {
    return this.#pairs.filter(([known]) => known === String(name)).map(([, value]) => value);
  }

  has(name, value) {
    return this.#pairs.some(([known, held]) => known === String(name) && (value === undefined || held === String(value)));
  }

  set(name, value) {
    const at = this.#pairs.findIndex(([known]) => known === String(name));
    if (at < 0) return this.append(name, value);
    const rest = this.#pairs.filter(([known], index) => index <= at || known !== String(name));
    rest[at] = [String(name), String(value)];
    this.#change(rest);
  }

  sort() {
    this.#change(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  forEach(callback, self) {
    for (const [name, value] of this.#pairs) callback.call(self, value, name, this);
  }

  *entries() {
    for (const [name, value] of this.#pairs) yield [name, value];
  }

  *keys() {
    for (const [name] of this.#pairs) yield name;
  }

  *values() {
    for (const [, value] of this.#pairs) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  toString() {
    const form = (text) => text.toWellFormed().replace(/[^A-Za-z0-9*\-._]/gu, (character) => (character === " " ? "+" : encodeAll(character)));
    return this.#pairs.map(([name, value]) => `${form(name)}=${form(value)}`).join("&");
  }
}

function hostOf(text, special, whole) {
  if (text.startsWith("[")) {
    if (!/^\[[0-9a-f:.]+\]$/i.test(text)) invalid(whole);
    return text.toLowerCase();
  }
  if (!special) return FORBIDDEN_HOST.test(text.replaceAll("%", "")) ? invalid(whole) : encode(text, /(?!)/);
  const host = decode(text).toLowerCase();
  if (host === "" || FORBIDDEN_HOST.test(host)) invalid(whole);
  if (/[^\x20-\x7e]/.test(host)) throw new TypeError(`Invalid URL: ${whole} (a host name beyond ASCII must be written in punycode here)`);
  return host;
}

function invalid(text) {
  const error = new TypeError("Invalid URL");
  error.code = "ERR_INVALID_URL";
  error.input = text;
  throw error;
}

/** A path without its dot segments. */
function normalize(path, special) {
  const out = [];
  const segments = (special ? path.replaceAll("\\", "/") : path).split("/").slice(1);
  segments.forEach((segment, index) => {
    const dots = segment.replace(/%2e/gi, ".");
    const last = index === segments.length - 1;
    if (dots === ".." ) {
      out.pop();
      if (last) out.push("");
    } else if (dots === ".") {
      if (last) out.push("");
    } else {
      out.push(encode(segment, PATH));
    }
  });
  return `/${out.join("/")}`;
}

/** The parts of an address, or a TypeError. */
function parse(input, base) {
  const text = input.replace(/^[\0-\x20]+|[\0-\x20]+$/g, "").replace(/[\t\n\r]/g, "");
  const [, beforeHash, hash] = /^([^#]*)(#[^]*)?$/.exec(text);
  const [, beforeQuery, query] = /^([^?]*)(\?[^]*)?$/.exec(beforeHash);
  const scheme = /^([A-Za-z][A-Za-z0-9+\-.]*:)([^]*)$/.exec(beforeQuery);
  const protocol = scheme ? scheme[1].toLowerCase() : base?.protocol;
  if (protocol === undefined) invalid(input);
  const special = isSpecial(protocol);
  let rest = scheme ? scheme[2] : beforeQuery;
  if (special) rest = rest.replaceAll("\\", "/");

  const parts = { protocol, username: "", password: "", hostname: "", port: "", pathname: "", opaque: false };
  parts.search = query === undefined || query === "?" ? "" : `?${encode(query.slice(1), special ? QUERY : /["#<>]/)}`;
  parts.hash = hash === undefined || hash === "#" ? "" : `#${encode(hash.slice(1), HASH)}`;

  const relative = base !== undefined && (!scheme || (special && protocol === base.protocol && !rest.startsWith("/")));
  if (rest.startsWith("//") || (special && scheme && !relative && protocol !== "file:")) {
    const [, authority, path] = /^\/*([^/]*)([^]*)$/.exec(special ? rest : rest.slice(2));
    readAuthority(parts, protocol === "file:" ? rest.slice(2).split("/")[0] : authority, special, input);
    const after = protocol === "file:" ? rest.slice(2 + rest.slice(2).split("/")[0].length) : path;
    parts.pathname = after === "" && !special ? "" : normalize(after || "/", special);
    return parts;
  }
  if (relative) {
    if (base.opaque && !(rest === "" && hash !== undefined)) invalid(input);
    for (const key of ["username", "password", "hostname", "port", "opaque"]) parts[key] = base[key];
    if (rest === "") {
      parts.pathname = base.pathname;
      if (query === undefined) parts.search = base.search;
    } else {
      const from = rest.startsWith("/") ? "" : base.pathname.replace(/[^/]*$/, "");
      parts.pathname = normalize(`${from}${rest}`.replace(/^(?!\/)/, "/"), special);
    }
    return parts;
  }
  parts.opaque = !special && !rest.startsWith("/");
  parts.pathname = parts.opaque ? encode(rest, /(?!)/) : normalize(rest || "/", special);
  return parts;
}

function readAuthority(parts, authority, special, input) {
  const at = authority.lastIndexOf("@");
  if (at >= 0) {
    const [user, ...password] = authority.slice(0, at).split(":");
    parts.username = encode(user, USER);
    parts.password = encode(password.join(":"), USER);
  }
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority.slice(at + 1)) ?? invalid(input);
  parts.hostname = host === "" && (!special || parts.protocol === "file:") ? "" : hostOf(host, special, input);
  if (port !== undefined && port !== "") {
    if (!/^\d+$/.test(port) || Number(port) > 65_535) invalid(input);
    parts.port = String(Number(port)) === PORTS[parts.protocol] ? "" : String(Number(port));
  }
}

class URL {
  #parts;
  #searchParams;

  constructor(url, base) {
    const from = base === undefined ? undefined : parse(String(base), undefined);
    this.#parts = parse(String(url), from);
    this.#searchParams = this.#makeParams();
  }

  #makeParams() {
    return URLSearchParams.of(this.#parts.search, (query) => {
      this.#parts.search = query === "" ? "" : `?${query}`;
    });
  }

  static canParse(url, base) {
    return URL.parse(url, base) !== null;
  }

  static parse(url, base) {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }

  /** Parses again with one part replaced; what does not parse leaves the URL as it was. */
  #replace(change) {
    const old = this.#parts;
    const next = { ...old, ...change };
    try {
      this.#parts = next;
      this.#parts = parse(this.href, undefined);
    } catch {
      this.#parts = old;
    }
    if (this.#parts.search !== old.search) this.#searchParams = this.#makeParams();
  }

  get href() {
    const { protocol, username, password, hostname, port, pathname, search, hash, opaque } = this.#parts;
    const user = username === "" && password === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
    const host = port === "" ? hostname : `${hostname}:${port}`;
    const authority = opaque || (hostname === "" && !isSpecial(protocol)) ? "" : `//${user}${host}`;
    return `${protocol}${authority}${pathname}${search}${hash}`;
  }

  set href(value) {
    this.#parts = parse(String(value), undefined);
    this.#searchParams = this.#makeParams();
  }

  get origin() {
    const { protocol } = this.#parts;
    return isSpecial(protocol) && protocol !== "file:" ? `${protocol}//${this.host}` : "null";
  }

  get protocol() {
    return this.#parts.protocol;
  }

  set protocol(value) {
    this.#replace({ protocol: `${String(value).replace(/:.*$/, "").toLowerCase()}:` });
  }

  get username() {
    return this.#parts.username;
  }

  set username(value) {
    this.#parts.username = encode(String(value), USER);
  }

  get password() {
    return this.#parts.password;
  }

  set password(value) {
    this.#parts.password = encode(String(value), USER);
  }

  get host() {
    return this.#parts.port === "" ? this.#parts.hostname : `${this.#parts.hostname}:${this.#parts.port}`;
  }

  set host(value) {
    const [, hostname, port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?/.exec(String(value));
    this.#replace({ hostname, port: port === "" ? this.#parts.port : port });
  }

  get hostname() {
    return this.#parts.hostname;
  }

  set hostname(value) {
    this.#replace({ hostname: String(value) });
  }

  get port() {
    return this.#parts.port;
  }

  set port(value) {
    this.#replace({ port: String(value) });
  }

  get pathname() {
    return this.#parts.pathname;
  }

  set pathname(value) {
    if (this.#parts.opaque) return;
    this.#parts.pathname = normalize(String(value).replace(/^(?!\/)/, "/"), isSpecial(this.#parts.protocol)).replaceAll("?", "%3F").replaceAll("#", "%23");
  }

  get search() {
    return this.#parts.search;
  }

  set search(value) {
    const query = String(value).replace(/^\?/, "");
    this.#parts.search = query === "" ? "" : `?${encode(query, QUERY)}`;
    this.#searchParams = this.#makeParams();
  }

  get hash() {
    return this.#parts.hash;
  }

  set hash(value) {
    const fragment = String(value).replace(/^#/, "");
    this.#parts.hash = fragment === "" ? "" : `#${encode(fragment, HASH)}`;
  }

  get searchParams() {
    return this.#searchParams;
  }

  toString() {
    return this.href;
  }

  toJSON() {
    return this.href;
  }
}

for (const value of [URL, URLSearchParams]) {
  Object.defineProperty(value.prototype, Symbol.toStringTag, { value: value.name, configurable: true });
  Object.defineProperty(globalThis, value.name, { value, writable: true, configurable: true });
}
