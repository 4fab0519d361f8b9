/** RGBA bytes, four a pixel. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly data: Buffer
}
export type Colour = readonly [number, number, number]

export function createCanvas(width: number, height: number): Canvas {
  return { width, height, data: Buffer.alloc(width * height * 4) }
}

export function mixChannel(from: number, to: number, share: number): number {
  return Math.round(from + (to - from) * share)
}

/** How much of a pixel lies inside an edge `distance` pixels away: 1 inside, 0 outside, between on the edge. */
const computeCoverage = (distance: number) => Math.min(1, Math.max(0, 0.5 - distance))

/** Paints where `distance` (negative inside) says so, in the box around the shape only. */
function paint(on: Canvas, box: readonly [number, number, number, number], colour: Colour, strength: number, distance: (x: number, y: number) => number): void {
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

export function drawCircle(on: Canvas, cx: number, cy: number, radius: number, colour: Colour, strength: number): void {
  paint(on, [cx - radius - 1, cy - radius - 1, cx + radius + 1, cy + radius + 1], colour, strength, (x, y) => Math.hypot(x - cx, y - cy) - radius)
}

export function drawRing(on: Canvas, cx: number, cy: number, radius: number, thick: number, colour: Colour, strength: number): void {
  const reach = radius + thick
  paint(on, [cx - reach, cy - reach, cx + reach, cy + reach], colour, strength, (x, y) => Math.abs(Math.hypot(x - cx, y - cy) - radius) - thick / 2)
}

export function drawLine(on: Canvas, left: number, y: number, length: number, thick: number, colour: Colour, strength: number, dashed: boolean): void {
  paint(on, [left, y - thick, left + length, y + thick], colour, strength, (px, py) =>
    dashed && Math.floor((px - left) / 12) % 2 === 1 ? 1 : Math.abs(py - y) - thick / 2,
  )
}

/** A square with round corners, a knob on its right and a notch at its top, as jigsaw pieces have. `rim` is 1 at the very edge. */
export function createPieceShape(size: number): (x: number, y: number) => { inside: number; rim: number } {
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
