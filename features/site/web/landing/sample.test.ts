import { expect, test } from 'vitest'
import type { ModelRow } from '#features/gateway/contract.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { displayUsd } from '#platform/web/money.tsx'
import prices from '#features/gateway/server/catalogue/prices/2026-11-20.json' with { type: 'json' }
import { computeCallCost, SAMPLE_SETS, buildSampleReceipt } from './sample.ts'

const none = {
  cachedInput: null,
  cacheWrite5m: null,
  cacheWrite1h: null,
  audioInput: null,
  audioOutput: null,
  imageInput: null,
  cachedAudio: null,
  cachedImage: null,
}
const rows = prices.models.map((model) => {
  const classes = { ...none, input: model.prices.input ?? '0', output: model.prices.output ?? '0' }
  return {
    modelValue: model.id,
    vendor: model.vendor,
    kind: model.kind,
    lifecycle: 'active',
    successor: model.successor,
    retiresOn: model.retiresOn,
    prices: { usd: classes, cny: classes },
  } as unknown as ModelRow
})

test('every set adds up in the places that are shown', () => {
  for (let set = 0; set < SAMPLE_SETS; set++) {
    const { lines, total, places } = buildSampleReceipt(rows, set)
    expect(lines).toHaveLength(3)
    const shown = lines.map((line) => parseUsd(displayUsd(line.amount, places).slice(1)))
    expect(shown.reduce((sum, one) => sum + one, 0n)).toBe(parseUsd(displayUsd(total, places).slice(1)))
  }
})

test('a call costs what its tokens cost, rounded up to the nano-dollar', () => {
  const row = rows.find((one) => one.modelValue === 'gpt-6.2-sol')!
  expect(computeCallCost(row, 4200, 1300)).toBe('0.0214')
  expect(computeCallCost(row, 1, 0)).toBe('0.000002')
})

test('a vendor without models is left out, an empty list gives an empty receipt', () => {
  expect(
    buildSampleReceipt(
      rows.filter((row) => row.vendor !== 'google'),
      0,
    ).lines,
  ).toHaveLength(2)
  expect(buildSampleReceipt([], 2)).toMatchObject({ lines: [], total: '0' })
})
