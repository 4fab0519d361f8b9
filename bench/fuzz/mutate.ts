import type { FuzzRandom } from './random.ts'

const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0xfe]

/** Copies a file with some bytes changed and pieces repeated, moved or cut off, which violates its lengths and offsets. */
export function mutateBytes(random: FuzzRandom, bytes: Buffer, most = 25_000_000): Buffer {
  if (bytes.length === 0) return bytes
  let out = Buffer.from(bytes)
  for (let change = random.int(6); change > 0 && out.length > 0; change--) {
    const at = random.int(out.length)
    const length = Math.min(out.length - at, 1 + random.int(random.pick([4, 64, 4_096])))
    const piece = out.subarray(at, at + length)
    switch (random.int(6)) {
      case 0:
        out[at] = random.pick(EDGES)
        break
      case 1:
        out.fill(random.pick(EDGES), at, at + length)
        break
      case 2: {
        const times = Math.min(random.pick([2, 100, 50_000, 1_000_000]), Math.floor((most - out.length) / length))
        if (times > 0) out = Buffer.concat([out.subarray(0, at), Buffer.alloc(times * length, piece), out.subarray(at)])
        break
      }
      case 3:
        out = Buffer.concat([out.subarray(0, at), out.subarray(at + length)])
        break
      case 4:
        out = out.subarray(0, Math.max(1, at))
        break
      default:
        if (out.length >= at + 4) out.writeUInt32BE(random.pick([0, 1, 0x7fffffff, 0xffffffff, out.length]), at)
    }
  }
  return out
}
