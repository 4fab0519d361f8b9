import type { Pen } from './pen.ts'

/** Design tokens: secondary text, hairlines, the vermilion of the stamp. */
export const DIM_COLOR = '#5c6a6c'
export const LINE_COLOR = '#b9c4c5'
const STAMP_COLOR = '#c2361f'

/** Draws a dashed rule; returns the top of the next line. */
export function drawDashedRule({ doc }: Pen, left: number, { right, y }: { readonly right: number; readonly y: number }): number {
  doc.save().lineWidth(0.8).strokeColor(LINE_COLOR).dash(2.5, { space: 2.5 }).moveTo(left, y).lineTo(right, y).stroke().restore()
  return y + 12
}

/** Draws a label, dot leaders and an amount. */
export function drawLeader(
  pen: Pen,
  label: string,
  { value, left, right, y }: { readonly value: string; readonly left: number; readonly right: number; readonly y: number },
): number {
  const room = right - left - pen.width(value) - 20
  const [first = '', ...more] = pen.lines(label, room)
  const from = left + pen.put(first, [left, y]) + 6
  const to = right - pen.putRight(value, [right, y]) - 6
  if (to > from)
    pen.doc
      .save()
      .lineWidth(0.8)
      .strokeColor(LINE_COLOR)
      .dash(0.8, { space: 2.2 })
      .moveTo(from, y + 9.5)
      .lineTo(to, y + 9.5)
      .stroke()
      .restore()
  let at = y
  for (const text of more) pen.put(text, [left, (at += 14)])
  return at + 18
}

/** Draws a rotated stamp; returns its lower end. */
export function drawStamp(pen: Pen, text: string, { x, y }: { readonly x: number; readonly y: number }): number {
  const style = { size: 17, weight: 700, color: STAMP_COLOR } as const
  const width = pen.width(text, style) + 26
  const { doc } = pen
  doc.save().rotate(-7, { origin: [x + width / 2, y + 17] })
  doc.lineWidth(2).strokeColor(STAMP_COLOR).roundedRect(x, y, width, 34, 5).stroke()
  pen.put(text, [x + 13, y + 5], style)
  doc.restore()
  return y + 46
}

/** Draws the void mark across the paper. */
export function drawVoidMark(pen: Pen, text: string, { note, x, y }: { readonly note: string; readonly x: number; readonly y: number }): void {
  const style = { size: 54, weight: 700, color: STAMP_COLOR } as const
  const { doc } = pen
  doc
    .save()
    .rotate(-18, { origin: [x, y] })
    .opacity(0.28)
  pen.put(text, [x - pen.width(text, style) / 2, y - 40], style)
  if (note) pen.put(note, [x - pen.width(note, { size: 13 }) / 2, y + 34], { size: 13, weight: 700, color: STAMP_COLOR })
  doc.restore()
}
