// Reads a JSON object of strings from standard input, and writes JSON to standard output (WASI).
@external("wasi_snapshot_preview1", "fd_read")
declare function fd_read(fd: i32, vectors: usize, count: i32, read: usize): i32;
@external("wasi_snapshot_preview1", "fd_write")
declare function fd_write(fd: i32, vectors: usize, count: i32, written: usize): i32;
@external("wasi_snapshot_preview1", "proc_exit")
declare function proc_exit(code: i32): void;

const CHUNK: i32 = 65536;

/** Reads all of standard input. */
export function readInput(): string {
  let bytes = new Uint8Array(0);
  const chunk = new ArrayBuffer(CHUNK);
  const vector = new Uint32Array(3);
  for (;;) {
    vector[0] = changetype<usize>(chunk) as u32;
    vector[1] = CHUNK;
    const result = fd_read(0, vector.dataStart, 1, vector.dataStart + 8);
    const count = vector[2] as i32;
    if (result != 0 || count == 0) break;
    const longer = new Uint8Array(bytes.length + count);
    longer.set(bytes);
    memory.copy(longer.dataStart + bytes.length, changetype<usize>(chunk), count);
    bytes = longer;
  }
  return String.UTF8.decodeUnsafe(bytes.dataStart, bytes.length);
}

export function write(text: string, file: i32 = 1): void {
  const bytes = String.UTF8.encode(text);
  const vector = new Uint32Array(3);
  vector[0] = changetype<usize>(bytes) as u32;
  vector[1] = bytes.byteLength;
  fd_write(file, vector.dataStart, 1, vector.dataStart + 8);
}

/** Ends the program with a message. */
export function fail(message: string): void {
  write(message + "\n", 2);
  proc_exit(1);
}

/** Returns the strings of a JSON object by name. Fails for anything else. */
export function readStrings(json: string): Map<string, string> {
  const found = new Map<string, string>();
  const reader = new Reader(json);
  reader.expect("{");
  if (reader.next("}")) return found;
  do {
    const name = reader.text();
    reader.expect(":");
    found.set(name, reader.text());
  } while (reader.next(","));
  reader.expect("}");
  return found;
}

class Reader {
  at: i32 = 0;
  constructor(public json: string) {}

  skip(): void {
    while (this.at < this.json.length && this.json.charCodeAt(this.at) <= 32) this.at++;
  }

  next(sign: string): bool {
    this.skip();
    if (this.json.charAt(this.at) != sign) return false;
    this.at++;
    return true;
  }

  expect(sign: string): void {
    if (!this.next(sign)) fail("the input is no object of texts: " + sign + " is missing");
  }

  text(): string {
    this.expect('"');
    const codes = new Array<i32>();
    while (this.at < this.json.length) {
      const code = this.json.charCodeAt(this.at++);
      if (code == 34) return String.fromCharCodes(codes);
      if (code != 92) {
        codes.push(code);
        continue;
      }
      const escape = this.json.charAt(this.at++);
      if (escape == "n") codes.push(10);
      else if (escape == "t") codes.push(9);
      else if (escape == "r") codes.push(13);
      else if (escape == "b") codes.push(8);
      else if (escape == "f") codes.push(12);
      else if (escape == "u") {
        codes.push(I32.parseInt(this.json.substr(this.at, 4), 16));
        this.at += 4;
      } else codes.push(escape.charCodeAt(0));
    }
    fail("a text of the input does not end");
    return "";
  }
}
