import { expect, test } from 'vitest'
import { collectWords, findUnknownNames } from './doc-names.ts'

const KNOWN = collectWords(['export function createRelay() {}', 'create table payments_orders (order_no text)'])

test.each([
  ['`createRelay(deps)` reads `payments_orders`', []],
  ['`npm start`, `a/b.ts`, `once`, `x-mingxi-dropped`', []],
  ['`startRelay()` is gone', ['a.md:1: no source file has `startRelay`']],
  ['one\n`payments_trades`, `Relay.goneMember`', ['a.md:2: no source file has `payments_trades`', 'a.md:2: no source file has `goneMember`']],
])('%j', (text, problems) => {
  expect(findUnknownNames('a.md', text, KNOWN)).toEqual(problems)
})
