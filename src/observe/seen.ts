/**
 * A bounded memory of what was worked out before. Two generations: when the young one is full it becomes the old one
 * and the old one goes, so that what is asked for stays, at constant cost and without a list of who was used when.
 */
export class Seen<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private characters = 0;
  private readonly maxEntries: number;
  private readonly maxCharacters: number;

  /** At most twice `maxEntries` entries and twice `maxCharacters` of keys are held. */
  constructor(maxEntries: number, maxCharacters: number) {
    this.maxEntries = maxEntries;
    this.maxCharacters = maxCharacters;
  }

  get(key: string): Value | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const aged = this.old.get(key);
    if (aged !== undefined) this.set(key, aged);
    return aged;
  }

  set(key: string, value: Value): void {
    if (this.young.size >= this.maxEntries || this.characters + key.length > this.maxCharacters) {
      this.old = this.young;
      this.young = new Map();
      this.characters = 0;
    }
    this.young.set(key, value);
    this.characters += key.length;
  }
}
