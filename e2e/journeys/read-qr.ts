/** Blocks and their data codewords, by version and by the two bits of the error correction level: M, L, H, Q. */
const BLOCKS: readonly (readonly (readonly [blocks: number, data: number])[])[] = [
  [
    [1, 16],
    [1, 19],
    [1, 9],
    [1, 13],
  ],
  [
    [1, 28],
    [1, 34],
    [1, 16],
    [1, 22],
  ],
  [
    [1, 44],
    [1, 55],
    [2, 13],
    [2, 17],
  ],
  [
    [2, 32],
    [1, 80],
    [4, 9],
    [2, 24],
  ],
]
const FINDER = [true, false, true, true, true, false, true]

type Module = (x: number, y: number) => boolean

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Decodes a drawn QR code: byte mode, up to version 4, undamaged. `isDark` samples a point of the square, with coordinates from 0 to 1. */
export function decodeQr(isDark: (x: number, y: number) => boolean): string {
  for (const [version, levels] of BLOCKS.entries()) {
    const size = 21 + 4 * version
    const at: Module = (x, y) => isDark((x + 0.5) / size, (y + 0.5) / size)
    const isTiming = Array.from({ length: size - 16 }, (_, n) => at(n + 8, 6) === (n % 2 === 0)).every(Boolean)
    if (!isTiming || !FINDER.every((dark, n) => at(n, 3) === dark)) continue
    const level = 2 * Number(!at(0, 8)) + Number(at(1, 8))
    return textOf(codewordsOf(at, size), ...levels[level]!)
  }
  throw new Error('no QR code that this reads')
}

/** Modules in placement order: two columns at a time from the right, alternating up and down. */
function codewordsOf(at: Module, size: number): number[] {
  const mask = MASKS[(Number(!at(2, 8)) << 2) | (Number(at(3, 8)) << 1) | Number(!at(4, 8))]!
  const bits: boolean[] = []
  let up = true
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right--
    for (let n = 0; n < size; n++) {
      const y = up ? size - 1 - n : n
      for (const x of [right, right - 1]) if (!isFixed(x, y, size)) bits.push(at(x, y) !== mask(x, y))
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, n) => bits.slice(8 * n, 8 * n + 8).reduce((sum, bit) => 2 * sum + Number(bit), 0))
}

/** Finder patterns, timing lines and the one alignment pattern carry no data. */
function isFixed(x: number, y: number, size: number): boolean {
  const isCorner = (x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)
  const middle = size - 7
  return isCorner || x === 6 || y === 6 || (size > 21 && Math.abs(x - middle) <= 2 && Math.abs(y - middle) <= 2)
}

function textOf(codewords: readonly number[], blocks: number, data: number): string {
  const bytes = Array.from({ length: blocks }, (_, block) => Array.from({ length: data }, (_unused, n) => codewords[n * blocks + block]!)).flat()
  const half = (n: number) => (n % 2 ? bytes[(n - 1) / 2]! & 15 : bytes[n / 2]! >> 4)
  const byte = (n: number) => 16 * half(n) + half(n + 1)
  if (half(0) !== 4) throw new Error('a QR code of another mode')
  return Buffer.from(Array.from({ length: byte(1) }, (_, n) => byte(3 + 2 * n))).toString('utf8')
}
