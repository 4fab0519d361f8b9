import type { FuzzRandom } from '../random.ts'

/** Makes hostile files of a kind, deterministic for the same random source. */
export interface FileMaker {
  readonly name: string
  readonly make: (random: FuzzRandom) => Buffer
}

export const repeatBytes = (count: number, one: Buffer): Buffer => (one.length === 0 ? one : Buffer.alloc(count * one.length, one))
export const encodeLatin1 = (value: string): Buffer => Buffer.from(value, 'latin1')
/** Number of repetitions in a file: usually few, sometimes as many as the size allows. */
export const drawRepeatCount = (random: FuzzRandom, bytes: number, most = 20_000_000): number =>
  Math.max(1, Math.min(random.pick([1, 3, 100, 20_000, 400_000, 8_000_000]), Math.floor(most / Math.max(1, bytes))))
