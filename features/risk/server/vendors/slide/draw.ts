import { randomInt } from 'node:crypto'
import type * as Png from 'pngjs'
import { loadPackage } from '#platform/server/load-package.ts'

/** RGBA bytes, four per pixel. */
interface Canvas {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}
type Colour = readonly [number, number, number]

function createCanvas(width: number, height: number): Canvas {
  return { width, height, data: Buffer.alloc(width * height * 4) }
}

function mixChannel(from: number, to: number, share: number): number {
  return Math.round(from + (to - from) * share)
}

/** Coverage of a pixel at `distance` pixels from an edge: 1 inside, 0 outside, in between on the edge. */
const computeCoverage = (distance: number) => Math.min(1, Math.max(0, 0.5 - distance))

/** Paints the pixels whose `distance` is negative (inside), only within the bounding box of the shape. */
function paint(
  on: Canvas,
  box: readonly [number, number, number, number],
  { colour, strength, distance }: { readonly colour: Colour; readonly strength: number; readonly distance: (x: number, y: number) => number },
): void {
  const [left, top, right, bottom] = box
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(on.height, Math.ceil(bottom)); y++) {
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(on.width, Math.ceil(right)); x++) {
      const share = computeCoverage(distance(x, y)) * strength
      if (share <= 0) continue
      const at = (y * on.width + x) * 4
      for (let channel = 0; channel < 3; channel++) on.data[at + channel] = mixChannel(on.data[at + channel]!, colour[channel]!, share)
    }
  }
}

type Centre = readonly [x: number, y: number]
interface Circle {
  readonly radius: number
  readonly colour: Colour
  readonly strength: number
}

function drawCircle(on: Canvas, [cx, cy]: Centre, { radius, colour, strength }: Circle): void {
  paint(on, [cx - radius - 1, cy - radius - 1, cx + radius + 1, cy + radius + 1], { colour, strength, distance: (x, y) => Math.hypot(x - cx, y - cy) - radius })
}

function drawRing(on: Canvas, [cx, cy]: Centre, { radius, thick, colour, strength }: Circle & { readonly thick: number }): void {
  const reach = radius + thick
  paint(on, [cx - reach, cy - reach, cx + reach, cy + reach], {
    colour,
    strength,
    distance: (x, y) => Math.abs(Math.hypot(x - cx, y - cy) - radius) - thick / 2,
  })
}

function drawLine(
  on: Canvas,
  left: number,
  {
    y,
    length,
    thick,
    colour,
    strength,
    dashed,
  }: { readonly y: number; readonly length: number; readonly thick: number; readonly colour: Colour; readonly strength: number; readonly dashed: boolean },
): void {
  paint(on, [left, y - thick, left + length, y + thick], {
    colour,
    strength,
    distance: (px, py) => (dashed && Math.floor((px - left) / 12) % 2 === 1 ? 1 : Math.abs(py - y) - thick / 2),
  })
}

/** Jigsaw piece: a square with round corners, a knob on its right and a notch at its top. `rim` is 1 at the outermost edge. */
function createPieceShape(size: number): (x: number, y: number) => { inside: number; rim: number } {
  const knob = size * 0.14
  const body = size - knob
  const round = size * 0.09
  const half = body / 2
  return (x, y) => {
    const dx = Math.abs(x - half) - half + round
    const dy = Math.abs(y - (size - half)) - half + round
    const box = Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - round
    const knobAt = Math.hypot(x - body + knob * 0.15, y - (size - half)) - knob
    const notch = Math.hypot(x - half, y - (size - body) - knob * 0.1) - knob
    const distance = Math.max(Math.min(box, knobAt), -notch)
    const inside = computeCoverage(distance)
    return { inside, rim: inside * Math.min(1, Math.max(0, (distance + 4) / 3)) }
  }
}

/** CSS pixels; the pictures have `SCALE` times as many. */
export const WIDTH = 312
export const HEIGHT = 160
export const PIECE = 56
const SCALE = 2

/** Background and ink colours of our palette, light enough that piece and hole are visible in both themes. */
const GROUNDS: readonly (readonly [Colour, Colour])[] = [
  [
    [0xde, 0xf7, 0xee],
    [0x9f, 0xd9, 0xc6],
  ],
  [
    [0xf3, 0xea, 0xd7],
    [0xd9, 0xc2, 0x93],
  ],
  [
    [0xe3, 0xea, 0xf6],
    [0xa9, 0xbc, 0xdc],
  ],
  [
    [0xf0, 0xf4, 0xf5],
    [0xb4, 0xc4, 0xc8],
  ],
]
const INKS: readonly Colour[] = [
  [0x16, 0x70, 0x5b],
  [0x27, 0x94, 0x79],
  [0xbe, 0x86, 0x28],
  [0x53, 0x5e, 0xb8],
  [0xcc, 0x37, 0x19],
  [0x2f, 0x98, 0xc6],
  [0x0a, 0x0e, 0x0f],
]

const pickRandom = <T>(list: readonly T[]): T => list[randomInt(list.length)]!
const randomBetween = (from: number, to: number) => from + (to - from) * (randomInt(1_000_001) / 1_000_000)

/**
 * Draws the picture with its hole, and the piece, as data: URLs. Draws a new picture each time, because two with the same background would
 * reveal the hole.
 */
export async function drawPuzzle(left: number, top: number): Promise<{ picture: string; piece: string }> {
  const scene = drawScene()
  const size = PIECE * SCALE
  const piece = createCanvas(size, size)
  const shape = createPieceShape(size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const cover = shape(x, y)
      if (cover.inside <= 0) continue
      const from = ((top * SCALE + y) * scene.width + left * SCALE + x) * 4
      const to = (y * size + x) * 4
      for (let channel = 0; channel < 3; channel++) {
        const value = scene.data[from + channel]!
        piece.data[to + channel] = mixChannel(value, 255, cover.rim)
        // The hole has the same outline, shaded, with a darker rim.
        scene.data[from + channel] = mixChannel(value, 10, cover.inside * (0.45 + 0.3 * cover.rim))
      }
      piece.data[to + 3] = Math.round(cover.inside * 255)
    }
  }
  const [picture, cut] = await Promise.all([encodePng(scene), encodePng(piece)])
  return { picture, piece: cut }
}

/** Draws a soft background, discs, rings, and the dashed lines of a receipt. */
function drawScene(): Canvas {
  const scene = createCanvas(WIDTH * SCALE, HEIGHT * SCALE)
  const [from, to] = pickRandom(GROUNDS)
  const lean = randomBetween(-0.4, 0.4)
  for (let y = 0; y < scene.height; y++) {
    for (let x = 0; x < scene.width; x++) {
      const t = Math.min(1, Math.max(0, y / scene.height + lean * (x / scene.width - 0.5)))
      const at = (y * scene.width + x) * 4
      for (let channel = 0; channel < 3; channel++) scene.data[at + channel] = mixChannel(from[channel]!, to[channel]!, t)
      scene.data[at + 3] = 255
    }
  }
  const anywhere = (): Centre => [randomBetween(0, scene.width), randomBetween(0, scene.height)]
  for (let i = 0; i < 7; i++) drawCircle(scene, anywhere(), { radius: randomBetween(20, 80), colour: pickRandom(INKS), strength: randomBetween(0.1, 0.35) })
  for (let i = 0; i < 5; i++)
    drawRing(scene, anywhere(), { radius: randomBetween(24, 90), thick: randomBetween(3, 8), colour: pickRandom(INKS), strength: randomBetween(0.3, 0.6) })
  for (let i = 0; i < 6; i++) {
    const y = randomBetween(10, scene.height - 10)
    drawLine(scene, randomBetween(0, scene.width / 2), {
      y,
      length: randomBetween(80, scene.width / 2),
      thick: randomBetween(2, 4),
      colour: pickRandom(INKS),
      strength: randomBetween(0.35, 0.6),
      dashed: i % 2 === 0,
    })
  }
  return scene
}

function encodePng({ width, height, data }: Canvas): Promise<string> {
  const { PNG } = loadPackage<typeof Png>('pngjs')
  const png = new PNG({ width, height, deflateLevel: 6, filterType: 1 })
  png.data = data
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    png
      .pack()
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', reject)
      .on('end', () => resolve(`data:image/png;base64,${Buffer.concat(chunks).toString('base64')}`))
  })
}
