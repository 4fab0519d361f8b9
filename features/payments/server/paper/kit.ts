/** What another feature draws its papers with: loaded, with its fonts, when the first is asked for. */
export { takePen } from './pen.ts'
export type { Pen } from './pen.ts'
export { DIM, leader, LINE, rule, stamp } from './strokes.ts'
