/** Drawing kit for the papers of other features; code and fonts load with the first paper. */
export { createPen } from './pen.ts'
export type { Pen } from './pen.ts'
export { DIM_COLOR, drawLeader, LINE_COLOR, drawDashedRule, drawStamp } from './strokes.ts'
