import type { SentWebhook } from '#stand-ins/kit/webhooks.ts'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '#stand-ins/kit/server.ts'
import { createTestClock, type TestClock, aSupplierTools } from '#platform/testing/http.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { findChannelByName } from '../vendors/index.ts'
import type { Channel, ChannelTools, OpenCall, OpenOutcome, ChannelPayment, RefundCall, TradeRef, TradeFrom } from '../vendors/port.ts'
import type { PaymentCompany } from '#stand-ins/kit/payments.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

/** Repetitions of each forgery and each lost answer; CHANNEL_TIMES=50 for a release. */
const FULL_RUNS = Number(process.env['CHANNEL_TIMES'] ?? 6)
const FEW_RUNS = 2
const LOST_FAULTS: readonly Fault[] = [
  'reset-before',
  'reset-after',
  'reset-in-body',
  'error-before',
  'error-after',
  'html',
  'empty',
  'error-code',
  'bad-signature',
]
const HANG_FAULTS: readonly Fault[] = ['hang-before', 'hang-after']
const hasTakenEffect = (fault: Fault) => !fault.endsWith('-before')
const BASE = { STAGE: 'development', ALLOW_SANDBOX: [] as string[] } as const

/** A payment company, and the tools to reach it where its settings do not suffice. */
export type ChannelCompany = PaymentCompany & { readonly tools?: Partial<ChannelTools> }

export interface SuiteOptions {
  /** The channel signs a page itself instead of making a call, so opening never has an unknown outcome. */
  readonly opensAlone?: boolean
  /** The transaction type and device to pay with. */
  readonly transactionType: number
  readonly tradeFrom: TradeFrom
  /** Refunds are idempotent by number and can be in progress. */
  readonly turnsRefunds?: boolean
  /** Number of socket failures after which a request is lost, because the vendor's SDK resends it. */
  readonly breaks?: number
  /** The settlement file has a single currency and does not name it. */
  readonly plainStatement?: boolean
  /** Keys are fetched, sealed with the newest secret; the old secret alone decrypts nothing. */
  readonly fetchesKeys?: boolean
  /** A variant of a channel that is tested in full elsewhere: fewer repetitions, no waiting. */
  readonly variant?: boolean
  /** The channel reports declined payments. */
  readonly declines?: boolean
}

/** Contract tests for a channel, run against the stand-in of its company. */
export function defineChannelSuite(name: string, make: (clock: TestClock) => Promise<ChannelCompany>, options: SuiteOptions): void {
  const TIMES = options.variant ? FEW_RUNS : FULL_RUNS
  describe(name, () => {
    // Noon in Shanghai, so that a run never crosses midnight. Each opening takes a second.
    const clock = createTestClock(new Date(`${toShanghaiDay(Date.now())}T12:00:00+08:00`))
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    let tools: ChannelTools = { ...aSupplierTools(), now: clock.now, log, secret: () => Buffer.alloc(32) }
    let fake: ChannelCompany
    let channel: Channel
    let count = 0
    const breaks = (fault: Fault) => (fault.startsWith('reset') ? (options.breaks ?? 1) : 1)

    beforeAll(async () => {
      fake = await make(clock)
      channel = connect(fake.env)
      tools = { ...tools, ...fake.tools }
    })
    afterAll(() => fake.close())

    const connect = (env: Readonly<Record<string, string>>) => findChannelByName({ config: { ...BASE, ...env } }, fake.name)!
    const call = (over: Partial<OpenCall> = {}): OpenCall => {
      clock.advance(1000)
      return {
        tradeNo: `20261121-${(++count).toString(36).toUpperCase().padStart(12, '0')}-${channel.manifest.id}${options.transactionType}${options.tradeFrom.slice(0, 1)}`,
        payMinor: 14_745n,
        currency: channel.manifest.currency,
        orderAmount: '20',
        subject: 'Mingxi 20 USD',
        transactionType: options.transactionType,
        tradeFrom: options.tradeFrom,
        notifyUrl: `https://shop.example/notify/${fake.name}`,
        returnUrl: 'https://shop.example/pay-result?orderNo=20261121-000000000000&redirect=%2Fapi',
        expiresAt: new Date(Math.ceil(clock.now().getTime() / 1000) * 1000 + 900_000),
        payerIp: '203.0.113.7',
        payerAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
        lang: DEFAULT_LANG,
        ...over,
      }
    }
    const must = (opened: OpenOutcome) => {
      if (opened.kind !== 'opened') throw new Error(`refused: ${opened.reason}`)
      return opened
    }
    const refOf = (tradeNo: string, opened?: OpenOutcome): TradeRef => ({
      tradeNo,
      openedAt: clock.now(),
      ...(opened?.kind === 'opened' && opened.channelRef ? { channelRef: opened.channelRef } : {}),
    })
    const open = async (over: Partial<OpenCall> = {}) => {
      const wish = call(over)
      const opened = must(await channel.open(tools, wish))
      await fake.arrive(opened)
      return { wish, opened, tradeNo: wish.tradeNo, ref: refOf(wish.tradeNo, opened) }
    }
    const paid = async (over: Partial<OpenCall> = {}): Promise<{ tradeNo: string; ref: TradeRef; payment: ChannelPayment }> => {
      const { tradeNo, ref } = await open(over)
      await fake.pay(tradeNo, { silent: true })
      return { tradeNo, ref, payment: (await channel.query(tools, ref)).payments[0]! }
    }
    const refund = ({ ref, payment }: { ref: TradeRef; payment: ChannelPayment }, refundNo: string, minor: bigint): RefundCall => ({
      refundNo,
      trade: ref,
      paid: payment,
      minor,
      earlierMinor: 0n,
      reason: 'asked for by the user',
      notifyUrl: `https://shop.example/notify/${fake.name}`,
    })
    const raw = (sent: SentWebhook) => ({ params: {}, query: {}, headers: sent.headers, body: sent.body, ip: '', requestId: '' })
    const read = (sent: SentWebhook, by = channel) => by.readNotice(tools, raw(sent))
    /** Renders a thrown error in every form that a log could hold. */
    const thrown = async (work: () => Promise<unknown>): Promise<string> => {
      const error = await work().then(
        (value) => Promise.reject(new Error(`not thrown but ${inspect(value)}`)),
        (each: unknown) => each as Error,
      )
      expect(error.message).not.toMatch(/^not thrown/)
      log.error({ err: error }, 'caught')
      return `${inspect(error, { depth: 20, showHidden: true })} ${lines.at(-1)}`
    }

    test('opens every method that it names, in the form that it names', async () => {
      for (const method of channel.manifest.methods) {
        for (const [tradeFrom, form] of Object.entries(method.forms)) {
          const wish = call({ transactionType: method.transactionType, tradeFrom: tradeFrom as TradeFrom })
          const opened = must(await channel.open(tools, wish))
          expect(opened.form).toBe(form)
          expect(opened.expiresAt.getTime()).toBeGreaterThan(clock.now().getTime())
          expect(opened.expiresAt.getTime()).toBeLessThanOrEqual(wish.expiresAt.getTime())
          expect(Boolean(opened.qr)).toBe(form === 'qr')
          expect(opened.payHtml).toMatch(
            form === 'form'
              ? /^<form method="(post|get)" action="https?:[^"<>]*"[^<>]*>(<input type="hidden" name="[^"<>]*" value="[^"<>]*">)*<\/form>$/
              : /^$/,
          )
          if (form === 'redirect') expect(opened.payUrl).toMatch(/^https?:/)
          await fake.arrive(opened)
          expect((await fake.trades()).filter((each) => each === wish.tradeNo)).toHaveLength(1)
        }
      }
    })

    test('a trade that is opened again is the same trade, or is refused in doubt', async () => {
      const { wish, tradeNo, opened } = await open()
      if (channel.manifest.reopens === 'same') {
        const again = must(await channel.open(tools, wish))
        expect([again.form, again.channelRef]).toEqual([opened.form, opened.channelRef])
        if (!options.opensAlone) await thrown(() => channel.open(tools, { ...wish, payMinor: 1n }))
      } else await thrown(() => channel.open(tools, wish))
      expect((await fake.trades()).filter((each) => each === tradeNo)).toHaveLength(1)
    })

    test('a query reports unknown, open, declined and paid trades, also in another amount or currency', async () => {
      expect(await channel.query(tools, refOf(call().tradeNo))).toMatchObject({ status: 'not_found', payments: [] })
      const { tradeNo, ref } = await open()
      expect((await channel.query(tools, ref)).payments).toEqual([])
      if (options.declines) {
        await fake.decline(tradeNo)
        expect((await channel.query(tools, ref)).status).toBe('declined')
      }
      await fake.pay(tradeNo, { silent: true })
      const [booked] = (await fake.payments()).filter((each) => each.tradeNo === tradeNo)
      const fact = await channel.query(tools, ref)
      expect(fact).toMatchObject({ status: 'paid', payments: [{ channelTxn: booked!.txn, minor: 14_745n, currency: channel.manifest.currency }] })
      const { payer } = fact.payments[0]!
      expect(payer !== undefined).toBe(!channel.manifest.methods[0]!.anonymous)
      if (fake.payer !== undefined) expect(payer).toBe(fake.payer)
      expect(Math.abs(fact.payments[0]!.paidAt.getTime() - clock.now().getTime())).toBeLessThan(1500)
      // The response to `open` may be lost, and with it the channel's id of the trade.
      expect(await channel.query(tools, refOf(tradeNo))).toEqual(fact)
      const wrong = await open()
      await fake.pay(wrong.tradeNo, { minor: 1n, currency: 'HKD', silent: true })
      expect((await channel.query(tools, wrong.ref)).payments).toMatchObject([{ minor: 1n, currency: 'HKD' }])
    })

    test('closing reports a paid trade as paid, and an open one is paid no more where the channel can do that', async () => {
      const { ref } = await open()
      const outcome = await channel.close(tools, ref)
      expect(['closed', 'open']).toContain(outcome)
      if (outcome === 'closed') expect((await channel.query(tools, ref)).status).toBe('closed')
      expect(await channel.close(tools, (await paid()).ref)).toBe('paid')
    })

    describe('P4: no certain answer to opening', () => {
      if (options.opensAlone) {
        test('opening calls no company, so no answer can be lost', async () => {
          const before = fake.http.seen.length
          await channel.open(tools, call())
          expect(fake.http.seen.length).toBe(before)
        })
        return
      }
      for (const fault of LOST_FAULTS) {
        test(`${fault}, ${TIMES} times: opening throws, never refuses, and the query knows`, async () => {
          for (let i = 0; i < TIMES; i++) {
            const wish = call()
            fake.http.misbehave(fault, breaks(fault))
            await thrown(() => channel.open(tools, wish))
            fake.http.behave()
            const exists = (await fake.trades()).includes(wish.tradeNo)
            expect(exists).toBe(hasTakenEffect(fault))
            const { status } = await channel.query(tools, refOf(wish.tradeNo))
            expect(status === 'not_found' || exists).toBe(true)
            if (channel.manifest.reopens === 'same') must(await channel.open(tools, wish))
            if (!(await fake.trades()).includes(wish.tradeNo)) continue
            await fake.pay(wish.tradeNo, { silent: true })
            expect((await channel.query(tools, refOf(wish.tradeNo))).payments).toHaveLength(1)
          }
        })
      }
      test.skipIf(options.variant)(
        `${HANG_FAULTS.join(' and ')}, ${TIMES} each at once: opening gives up in time`,
        async () => {
          for (const fault of HANG_FAULTS) fake.http.misbehave(fault, TIMES)
          await Promise.all(Array.from({ length: HANG_FAULTS.length * TIMES }, () => thrown(() => channel.open(tools, call()))))
          fake.http.behave()
        },
        60_000,
      )
      test('a name that does not resolve and a port without a listener throw', async () => {
        for (const base of ['http://no-such-host.invalid', 'http://127.0.0.1:1']) {
          const env = Object.fromEntries(Object.entries(fake.env).map(([key, value]) => [key, value.replace(fake.http.url, base)]))
          await thrown(() => connect(env).open({ ...tools, publicUrl: () => base }, call()))
        }
      })
    })

    test('a query throws on every fault', async () => {
      const { ref, tradeNo } = await open()
      await fake.pay(tradeNo, { silent: true })
      for (const fault of LOST_FAULTS) {
        fake.http.misbehave(fault, breaks(fault))
        await thrown(() => channel.query(tools, ref))
        fake.http.behave()
      }
      expect((await channel.query(tools, ref)).status).toBe('paid')
    })

    test(`W4: forgeries are not read, ${TIMES} times each`, async () => {
      const { tradeNo } = await paid()
      const other = await paid()
      const kinds = Object.keys(fake.forgeries(tradeNo, other.tradeNo))
      expect(kinds.length).toBeGreaterThanOrEqual(14)
      for (let i = 0; i < TIMES; i++) {
        for (const [kind, sent] of Object.entries(fake.forgeries(tradeNo, other.tradeNo))) expect([kind, await read(sent)]).toEqual([kind, undefined])
      }
      expect(await read(fake.notice(tradeNo))).toMatchObject({ event: 'paid', tradeNo })
    })

    test('W6: a notice that is untouched in the sense of the channel is read, and no other', async () => {
      const { tradeNo } = await paid()
      let tried = 0
      for (let i = 0; i < Math.max(2, TIMES / 5); i++) {
        for (const { name: kind, sent, good } of fake.vectors(tradeNo)) {
          tried++
          expect([kind, (await read(sent))?.tradeNo]).toEqual([kind, good ? tradeNo : undefined])
        }
      }
      expect(tried).toBeGreaterThanOrEqual(30)
    })

    test('refunds go in parts, once for a number, never above what was paid, never without a payment', async () => {
      const sale = await paid()
      expect(await channel.queryRefund(tools, refund(sale, 'R20261121-A', 4_745n))).toMatchObject({ status: 'not_found' })
      const first = refund(sale, `${sale.tradeNo}-R1`, 4_745n)
      expect(['pending', 'succeeded']).toContain((await channel.refund(tools, first)).status)
      for (let i = 0; i < 5; i++) expect((await channel.refund(tools, first)).status).not.toBe('refused')
      expect((await channel.queryRefund(tools, first)).status).toBe('succeeded')
      expect((await channel.refund(tools, { ...refund(sale, `${sale.tradeNo}-R2`, 10_001n), earlierMinor: 4_745n })).status).toBe('refused')
      const second = { ...refund(sale, `${sale.tradeNo}-R3`, 10_000n), earlierMinor: 4_745n }
      await channel.refund(tools, second)
      expect((await channel.queryRefund(tools, second)).status).toBe('succeeded')
      expect((await channel.refund(tools, { ...refund(sale, `${sale.tradeNo}-R4`, 1n), earlierMinor: 14_745n })).status).toBe('refused')
      const booked = (await fake.refunds()).filter(({ txn }) => txn === sale.payment.channelTxn)
      expect(booked.map(({ minor }) => minor)).toEqual([4_745n, 10_000n])
      expect((await channel.query(tools, sale.ref)).payments).toHaveLength(1)
      const { ref } = await open()
      const never = await channel
        .refund(tools, { ...refund(sale, `${ref.tradeNo}-R1`, 1n), trade: ref, paid: { ...sale.payment, channelTxn: '20260000000000000000' } })
        .catch(() => undefined)
      expect(never === undefined || never.status === 'refused').toBe(true)
      expect((await fake.refunds()).filter(({ refundNo }) => refundNo.startsWith(ref.tradeNo))).toEqual([])
    })

    test('R3: a refund without an answer is sent again under its number, and happens once', async () => {
      for (const fault of [...LOST_FAULTS, ...LOST_FAULTS.slice(0, 3)]) {
        const sale = await paid()
        const wish = refund(sale, `${sale.tradeNo}-R1`, 5_000n)
        fake.http.misbehave(fault, breaks(fault), /refund|gateway/)
        await thrown(() => channel.refund(tools, wish))
        fake.http.behave()
        for (let i = 0; i < 3; i++) expect(['pending', 'succeeded']).toContain((await channel.refund(tools, wish)).status)
        // Vendors may forget an idempotency key after a day.
        clock.advance(90_000_000)
        expect(['pending', 'succeeded']).toContain((await channel.refund(tools, wish)).status)
        clock.advance(-90_000_000)
        expect((await fake.refunds()).filter(({ txn }) => txn === sale.payment.channelTxn)).toHaveLength(1)
      }
    })

    if (options.turnsRefunds) {
      test('R4: a refund is reported as under way, then done, then given back', async () => {
        const sale = await paid()
        fake.slowRefunds(true)
        const wish = refund(sale, `${sale.tradeNo}-R1`, 5_000n)
        expect((await channel.refund(tools, wish)).status).toBe('pending')
        fake.slowRefunds(false)
        for (const state of ['succeeded', 'stuck', 'failed'] as const) {
          await fake.turnRefund(wish.refundNo, state)
          expect((await channel.queryRefund(tools, wish)).status).toBe(state)
        }
      })
    }

    test('the statement holds what the book holds, and an empty day nothing', async () => {
      await paid()
      const day = toShanghaiDay(clock.now())
      const rows = await channel.statement(tools, day)
      const sorted = (each: readonly string[]) => each.toSorted()
      const currencyOf = (currency: string) => (options.plainStatement ? channel.manifest.currency : currency)
      const payments = (await fake.payments()).map(({ tradeNo, txn, minor, currency }) => `${tradeNo} ${txn} ${minor} ${currencyOf(currency)}`)
      expect(sorted(rows.filter(({ kind }) => kind === 'payment').map((row) => `${row.tradeNo} ${row.channelTxn} ${row.minor} ${row.currency}`))).toEqual(
        sorted(payments),
      )
      const refunds = rows.filter(({ kind }) => kind === 'refund')
      if (refunds.length) {
        const booked = (await fake.refunds()).filter(({ state }) => state === 'succeeded')
        expect(sorted(refunds.map((row) => `${row.refundNo} ${row.channelTxn} ${row.minor}`))).toEqual(
          sorted(booked.map((each) => `${each.refundNo} ${each.txn} ${each.minor}`)),
        )
      }
      expect(await channel.statement(tools, '2020-01-01')).toEqual([])
      for (const fault of ['error-after', 'html', 'bad-signature'] as const) {
        fake.http.misbehave(fault)
        await thrown(() => channel.statement(tools, day))
        fake.http.behave()
      }
      const FILE = /^\/(download|bill\.zip)$/
      if (!fake.http.seen.some(({ path }) => FILE.test(path))) return
      for (const fault of ['reset-in-body', 'html', 'bad-signature'] as const) {
        fake.http.misbehave(fault, 1, FILE)
        await thrown(() => channel.statement(tools, day))
        fake.http.behave()
      }
    })

    test('W12: both keys are good while they are changed, a removed one is not', async () => {
      const { tradeNo, ref } = await paid()
      const before = fake.notice(tradeNo)
      fake.rotate()
      const after = fake.notice(tradeNo)
      expect([await read(before), await read(after)]).toMatchObject([{ tradeNo }, { tradeNo }])
      const lists = Object.entries(fake.env).filter(([key, value]) => /KEYS|SECRETS|TOKENS|V3_KEY/.test(key) && value.includes(','))
      if (lists.length) {
        const only = (at: number) => connect({ ...fake.env, ...Object.fromEntries(lists.map(([key, value]) => [key, value.split(',')[at]!])) })
        expect([await read(before, only(0)), await read(after, only(0))]).toMatchObject([options.fetchesKeys ? undefined : { tradeNo }, undefined])
        expect([await read(before, only(1)), await read(after, only(1))]).toMatchObject([undefined, { tradeNo }])
      }
      expect((await channel.query(tools, ref)).status).toBe('paid')
    })

    test('S6: no error and no log line holds a piece of a credential', async () => {
      // Wrong credentials: vendors tend to repeat them in their error responses.
      const wrong = Object.fromEntries(
        Object.entries(fake.env).map(([key, value]) => [key, /^(STRIPE_SECRET_KEY|NIHAOPAY_TOKENS)$/.test(key) ? `${value.split(',')[0]}x` : value]),
      )
      const other = connect(wrong)
      await other.open(tools, call()).catch((error: unknown) => log.error({ err: error }, inspect(error, { depth: 20, showHidden: true })))
      await other.query(tools, refOf(call().tradeNo)).catch((error: unknown) => log.error({ err: error }, inspect(error, { depth: 20, showHidden: true })))
      const whole = lines.join('')
      expect(lines.length).toBeGreaterThan(10)
      expect(fake.secrets.length).toBeGreaterThan(0)
      for (const secret of fake.secrets) {
        for (const form of [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('base64').slice(2, -4),
          Buffer.from(secret).toString('hex'),
          secret.slice(0, 24),
        ])
          expect(whole.includes(form)).toBe(false)
      }
    })
  })
}
