import type { CommandDetail } from './command-detail.ts'

const AMOUNT_FIGURES = ['total', 'amount'] as const

/** Dollar amount that a command moves: from the current preview, else the stored preview, else the input; undefined if it moves none. */
export function findCommandAmount({ now, preview, input }: Pick<CommandDetail, 'now' | 'preview' | 'input'>): string | undefined {
  const shown = now ?? preview
  const known = new Map<string, unknown>([
    ...Object.entries(input),
    ...shown.changes.map(({ name, after }) => [name, after] as const),
    ...Object.entries(shown.result),
  ])
  const found = AMOUNT_FIGURES.map((name) => known.get(name)).find((value) => typeof value === 'string' && /^\d{1,10}(\.\d{1,9})?$/.test(value))
  return found as string | undefined
}
