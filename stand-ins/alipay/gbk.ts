const decoder = new TextDecoder('gbk')
let table: Map<string, readonly number[]> | undefined

/** Encodes text as GBK bytes. Node decodes GBK but does not encode it, so the table is built once by decoding every pair. */
export function toGbk(text: string): Buffer {
  if (!table) {
    table = new Map()
    for (let lead = 0x81; lead <= 0xfe; lead++)
      for (let trail = 0x40; trail <= 0xfe; trail++) {
        const sign = decoder.decode(new Uint8Array([lead, trail]))
        if (sign.length === 1 && sign !== '�' && !table.has(sign)) table.set(sign, [lead, trail])
      }
  }
  return Buffer.from([...text].flatMap((sign) => (sign.charCodeAt(0) < 128 ? [sign.charCodeAt(0)] : [...(table!.get(sign) ?? [0x3f])])))
}
