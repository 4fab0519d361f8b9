import { createHash } from 'node:crypto'
import { pieces } from '../tokens.ts'

/** Each token adds to 16 places chosen by its hash; the vector has length 1. Texts that share words lie close together. */
export function embed(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const piece of pieces(text || ' ')) {
    const hash = createHash('sha256').update(piece.trim().toLowerCase()).digest()
    for (let at = 0; at < 32; at += 2) {
      const word = hash.readUInt16LE(at)
      vector[(word >>> 1) % dimensions]! += word & 1 ? 1 : -1
    }
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** OpenAI's base64 form: little-endian 32-bit floats. */
export function asBase64(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64')
}
