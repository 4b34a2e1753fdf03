/** A PostgreSQL protocol message; the first on a connection has no kind. */
export interface Message {
  kind: string;
  /** Without its kind and length. */
  body: Buffer;
  /** As received. */
  bytes: Buffer;
}

/** Splits the data in one direction of a connection into messages. */
export class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #hasKind: boolean;

  /** @param hasKind false for a client's messages: the first one has none */
  constructor(hasKind: boolean) {
    this.#hasKind = hasKind;
  }

  *take(chunk: Buffer): Generator<Message> {
    let buffer = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (;;) {
      const head = this.#hasKind ? 1 : 0;
      if (buffer.length < head + 4) break;
      const end = head + buffer.readUInt32BE(head);
      if (buffer.length < end) break;
      const kind = head === 1 ? String.fromCharCode(buffer.readUInt8(0)) : '';
      yield { kind, body: buffer.subarray(head + 4, end), bytes: buffer.subarray(0, end) };
      this.#hasKind = true;
      buffer = buffer.subarray(end);
    }
    this.#rest = buffer;
  }
}

/** A Bind message's parameters as text. */
export function boundTexts(body: Buffer): (string | null)[] {
  // Two names that end with a zero byte, and the parameters' formats.
  let place = body.indexOf(0, body.indexOf(0) + 1) + 1;
  place += 2 + 2 * body.readUInt16BE(place);
  const texts: (string | null)[] = [];
  const count = body.readUInt16BE(place);
  place += 2;
  for (let number = 0; number < count; number++) {
    const length = body.readInt32BE(place);
    place += 4;
    texts.push(length < 0 ? null : body.toString('utf8', place, place + length));
    place += Math.max(0, length);
  }
  return texts;
}
