/** Values are plain decimal text (money, counts), by series key; a missing one is zero. */
export interface Bar {
  /** Unique key: a day, an hour, a month. */
  readonly key: string
  readonly label: string
  /** Label under the axis, if shorter than `label`. */
  readonly tick?: string
  /** The period is not over: drawn hatched. */
  readonly isOpen?: boolean
  readonly values: Readonly<Record<string, string>>
}
export interface Series {
  readonly key: string
  readonly label: string
  readonly color: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
  /** Several series may share a hue: the first is full, later ones are lighter. */
  readonly shade?: number
}

export const SERIES_FILLS = [
  '',
  'fill-chart-1',
  'fill-chart-2',
  'fill-chart-3',
  'fill-chart-4',
  'fill-chart-5',
  'fill-chart-6',
  'fill-chart-7',
  'fill-chart-8',
] as const
export const SERIES_STROKES = [
  '',
  'stroke-chart-1',
  'stroke-chart-2',
  'stroke-chart-3',
  'stroke-chart-4',
  'stroke-chart-5',
  'stroke-chart-6',
  'stroke-chart-7',
  'stroke-chart-8',
] as const
const SERIES_SHADES = [1, 0.68, 0.46, 0.3] as const

export const getShade = ({ shade = 0 }: Pick<Series, 'shade'>): number => SERIES_SHADES[Math.min(shade, SERIES_SHADES.length - 1)]!
