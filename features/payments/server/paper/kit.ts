/** Drawing kit for the papers of other features; code and fonts load with the first paper. */
export { takePen } from './pen.ts'
export type { Pen } from './pen.ts'
export { DIM, leader, LINE, rule, stamp } from './strokes.ts'
