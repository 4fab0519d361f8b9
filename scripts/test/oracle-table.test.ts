import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatOracleTable } from './oracle-table.ts'

test('sums the lines of each vendor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-oracles-'))
  const file = join(folder, 'oracles.jsonl')
  expect(formatOracleTable(file)).toEqual([])
  const line = (vendor: string, counts: object, reasons: readonly string[] = []) =>
    JSON.stringify({ vendor, counts, differences: reasons.map((reason) => ({ what: 'x', reason })) })
  writeFileSync(
    file,
    [
      line('stripe', { 'POST /v1/a request': 2, 'POST /v1/a reply': 2, 'POST /v1/a reply 402': 1, 'sent Event': 3 }, ['seen twice']),
      line('stripe', { 'POST /v1/a request': 1, 'GET /v1/b reply': 4 }, ['seen twice']),
      line('alipay', { 'POST /gateway.do reply': 1 }),
    ].join('\n'),
  )
  expect(formatOracleTable(file)).toEqual([
    'alipay                  1 endpoints, 0 requests, 1 answers, 0 events and webhooks, 0 known differences',
    'stripe                  3 endpoints, 3 requests, 7 answers, 3 events and webhooks, 1 known differences',
  ])
  rmSync(folder, { recursive: true })
})
