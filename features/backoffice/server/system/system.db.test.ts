import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { account } from '#features/account/server/index.ts'
import { gateway } from '#features/gateway/server/index.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { risk } from '#features/risk/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { anOperator } from '../builders.ts'
import { watchAlarms } from '../alarms/watch.ts'
import { createBackoffice } from '../index.ts'

const product = [account, gateway, notices, payments, risk, wallet]
const db = await useTestDb()
const { call, deps } = createTestApp({ features: [...product, createBackoffice(product)], db, surface: 'operators' })

test('the system page lists what needs attention; figures cover days up to yesterday and match the books', async () => {
  const { token } = await anOperator(deps, ['auditor'])
  const system = async () => (await call('GET', '/operator/system', {}, { token })).data
  expect(await system()).toMatchObject({
    alarms: [],
    nodes: [],
    migrations: { newest: expect.stringMatching(/^\d{4}_/) },
    database: { version: expect.any(String) },
  })
  await db.query(`insert into gateway_nodes (node, beat_at) values ('alive', now()), ('lost', now() - interval '5 minutes')`)
  await db.query(`insert into outbox (event, payload, created_at) values ('x.y', '{}', now() - interval '10 minutes')`)
  const day = "(now() at time zone 'Asia/Shanghai')::date - 1"
  await db.query(
    `insert into gateway_book_days (day, charged, posted, received, paid_back, sums, captured, unread, alarms)
      values (${day}, 9000000000, 9000000000, 20000000000, 1000000000, 0, 0, '{}', '{gateway.margin_negative openai gpt-6-luna}')`,
  )
  await db.query(
    `insert into gateway_books (day, vendor, model, our_calls, our_input, our_cached, our_output, our_charge, estimated_calls, their_cost)
      values (${day}, 'openai', 'gpt-6-luna', 3, 1, 0, 1, 9000000000, 0, 10000000000)`,
  )
  await db.query(
    `insert into gateway_usage_days (account_id, day, model, key_id, calls, tokens, amount, failed, largest) values (1, ${day}, 'gpt-6-luna', 'a', 3, 9, 9000000000, 1, 1), (2, ${day}, 'gpt-6-luna', 'b', 1, 9, 0, 0, 0)`,
  )
  await watchAlarms()(deps)
  const { alarms, nodes } = await system()
  expect(nodes.map((each: { node: string; isAlive: boolean }) => [each.node, each.isAlive])).toEqual([
    ['alive', true],
    ['lost', false],
  ])
  expect(alarms.map((each: { name: string }) => each.name).toSorted()).toEqual(['gateway.margin_negative', 'gateway.node_dead', 'outbox.stuck'])
  expect(alarms.map((each: { severity: string }) => each.severity)).toEqual(['critical', 'critical', 'serious'])
  const { days } = (await call('GET', '/operator/figures', { days: 7 }, { token })).data
  expect(days).toHaveLength(7)
  expect(days.at(-1)).toMatchObject({ received: '20', paidBack: '1', charged: '9', costs: '10', margin: '-1', customers: 2, calls: 4, failed: 1 })
})
