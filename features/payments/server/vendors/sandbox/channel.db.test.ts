import { afterAll, expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import type { TestClock } from '#platform/testing/http.ts'
import { createTestApp, createTestClock } from '#platform/testing/http.ts'
import { payments } from '../../index.ts'
import { defineChannelSuite } from '../../testing/channel-suite.ts'
import { findChannelById, channelSandboxJobs, createChannelTools } from '../index.ts'
import type { OpenCall, RefundCall } from '../port.ts'
import { createSandboxCompany } from '../../testing/sandbox-company.ts'
import { tradeByNo } from './data.ts'
import { settle } from './settle.ts'

const db = await useTestDb({ max: 30 })
const apps: { close(): Promise<unknown> }[] = []
const company = async (clock: TestClock) => {
  let url = ''
  const { app, deps } = createTestApp({ features: [payments], db, clock, overrides: { publicUrl: () => url } })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
  apps.push({
    close: async () => {
      app.server.closeAllConnections()
      await app.close()
    },
  })
  return { deps, url }
}
afterAll(() => Promise.all(apps.map((app) => app.close())))

defineChannelSuite(
  'sandbox',
  async (clock) => {
    const { deps, url } = await company(clock)
    return createSandboxCompany({ db, tools: createChannelTools(deps), url })
  },
  { tradeFrom: 'QRCODE', transactionType: 1, declines: true, variant: true },
)

test('its magic inputs: refunds that are refused, lost, slow, stuck and taken back, and disputes', async () => {
  const clock = createTestClock()
  const { deps } = await company(clock)
  const tools = createChannelTools(deps)
  const outside = { ...tools, query: (text: string, values?: readonly unknown[]) => db.query(text, values) as Promise<never[]> }
  const channel = findChannelById(deps, 25)!
  const sale = async (orderAmount: string) => {
    const tradeNo = `20261121-MAGIC${orderAmount.replace('.', '').padStart(7, '0')}-251Q`
    const call: OpenCall = {
      tradeNo,
      payMinor: 14_745n,
      currency: 'CNY',
      orderAmount,
      subject: 'x',
      transactionType: 1,
      tradeFrom: 'QRCODE',
      notifyUrl: `${tools.publicUrl()}/notify/sandbox`,
      returnUrl: '',
      expiresAt: new Date(clock.now().getTime() + 900_000),
      payerIp: '',
      payerAgent: '',
      lang: 'zh',
    }
    await channel.open(tools, call)
    await settle(outside, (await tradeByNo(outside.query, tradeNo))!, 'silent')
    const trade = { tradeNo, openedAt: clock.now() }
    const paid = (await channel.query(tools, trade)).payments[0]!
    const refund: RefundCall = { refundNo: `${tradeNo}-R1`, trade, paid, minor: 5000n, earlierMinor: 0n, reason: 'x', notifyUrl: call.notifyUrl }
    return { trade, refund }
  }
  const work = async (seconds: number) => {
    clock.advance(seconds * 1000)
    for (const job of channelSandboxJobs) await job.handle(deps, {})
  }
  expect((await channel.refund(tools, (await sale('20.21')).refund)).status).toBe('refused')
  const lost = (await sale('20.22')).refund
  await expect(channel.refund(tools, lost)).rejects.toThrow('500')
  expect((await channel.refund(tools, lost)).status).toBe('succeeded')
  const slow = (await sale('20.23')).refund
  expect((await channel.refund(tools, slow)).status).toBe('pending')
  const back = (await sale('20.24')).refund
  expect((await channel.refund(tools, back)).status).toBe('succeeded')
  expect((await channel.refund(tools, (await sale('20.25')).refund)).status).toBe('stuck')
  await work(21)
  expect([(await channel.queryRefund(tools, slow)).status, (await channel.queryRefund(tools, back)).status]).toEqual(['succeeded', 'failed'])
  const claims = [await sale('20.31'), await sale('20.32'), await sale('20.33')]
  const seen = () => Promise.all(claims.map(async ({ trade }) => (await channel.query(tools, trade)).disputes?.map(({ status }) => status)))
  expect(await seen()).toEqual([[], [], []])
  await work(3)
  expect(await seen()).toEqual([['open'], ['open'], ['open']])
  await work(6)
  expect(await seen()).toEqual([['open'], ['won'], ['lost']])
})

test('R1: twenty refunds of one payment at once never come to more than it', async () => {
  const clock = createTestClock()
  const { deps } = await company(clock)
  const tools = createChannelTools(deps)
  const outside = { ...tools, query: (text: string, values?: readonly unknown[]) => db.query(text, values) as Promise<never[]> }
  const channel = findChannelById(deps, 25)!
  for (let round = 0; round < 10; round++) {
    const tradeNo = `20261121-ROUND${String(round).padStart(7, '0')}-251Q`
    const call: OpenCall = {
      tradeNo,
      payMinor: 10_000n,
      currency: 'CNY',
      orderAmount: '14',
      subject: 'x',
      transactionType: 1,
      tradeFrom: 'QRCODE',
      notifyUrl: `${tools.publicUrl()}/notify/sandbox`,
      returnUrl: '',
      expiresAt: new Date(clock.now().getTime() + 900_000),
      payerIp: '',
      payerAgent: '',
      lang: 'zh',
    }
    await channel.open(tools, call)
    await settle(outside, (await tradeByNo(outside.query, tradeNo))!, 'silent')
    const trade = { tradeNo, openedAt: clock.now() }
    const paid = (await channel.query(tools, trade)).payments[0]!
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        channel.refund(tools, { refundNo: `${tradeNo}-R${at % 10}`, trade, paid, minor: 3000n, earlierMinor: 0n, reason: 'x', notifyUrl: call.notifyUrl }),
      ),
    )
    expect(answers.filter(({ status }) => status === 'succeeded').length).toBeLessThanOrEqual(6)
    const [row] = await db.query<{ sum: bigint; n: bigint }>('select sum(minor)::bigint as sum, count(*) as n from payments_sandbox_refunds where txn = $1', [
      paid.channelTxn,
    ])
    expect(row).toEqual({ sum: 9000n, n: 3n })
  }
})
