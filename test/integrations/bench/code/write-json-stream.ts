export class JsonStream {
  #parts: string[] = [];
  #open: string[] = [];
  #isInText = false;
  #isEscaped = false;

  push(chunk: string): unknown[] {
    const values: unknown[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const letter = String(chunk[at]);
      if (this.#open.length === 0) {
        if (/\s/.test(letter)) continue;
        if (letter !== '{' && letter !== '[') throw new SyntaxError(`unexpected ${letter}`);
        start = at;
      }
      this.#read(letter);
      if (this.#open.length > 0) continue;
      values.push(JSON.parse(this.#parts.join('') + chunk.slice(start, at + 1)));
      this.#parts = [];
    }
    if (this.#open.length > 0) this.#parts.push(chunk.slice(start));
    return values;
  }

  end(): void {
    if (this.#open.length > 0) throw new SyntaxError('the last value is incomplete');
  }

  #read(letter: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInText && letter === '\\') this.#isEscaped = true;
    else if (letter === '"') this.#isInText = !this.#isInText;
    else if (this.#isInText) return;
    else if (letter === '{') this.#open.push('}');
    else if (letter === '[') this.#open.push(']');
    else if (letter === '}' || letter === ']') {
      if (this.#open.pop() !== letter) throw new SyntaxError(`unexpected ${letter}`);
    }
  }
}
