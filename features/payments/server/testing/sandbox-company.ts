import type { SentWebhook } from '#stand-ins/kit/webhooks.ts'
import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Db } from '#platform/server/database/db.ts'
import { createId } from '#platform/shared/ids.ts'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { ChannelCompany } from './channel-suite.ts'
import type { ChannelTools } from '../vendors/port.ts'
import { tradeByNo } from '../vendors/sandbox/data.ts'
import { MERCHANT, NOTICE_KEYS, sealed } from '../vendors/sandbox/envelope.ts'
import { settle } from '../vendors/sandbox/settle.ts'

interface Ground {
  readonly db: Db
  readonly tools: ChannelTools
  /** Base URL of the sandbox company. */
  readonly url: string
}

/** The sandbox company behind a connection that can be made to fail. Its book is in the database. */
export async function createSandboxCompany({ db, tools, url }: Ground): Promise<ChannelCompany> {
  const outside: ChannelTools = { ...tools, query: (text, values) => db.query(text, values) as Promise<never[]> }
  let key: string = NOTICE_KEYS[0]
  const http = await startStandInServer(async ({ method, url: path, headers, body, fault }) => {
    const { 'host': _, 'connection': __, 'content-length': ___, ...rest } = headers
    const reply = await fetch(url + path, { method, headers: rest as Record<string, string>, ...(method === 'POST' ? { body } : {}) })
    const text = await reply.text()
    return fault === 'error-code' || fault === 'bad-signature' ? { status: 200, body: '{"code":"SYSTEM_ERROR"}' } : { status: reply.status, body: text }
  })
  const bodyFor = (tradeNo: string, over: Record<string, unknown> = {}) =>
    Buffer.from(
      JSON.stringify({ merchant: MERCHANT, notice_id: createId('n'), event: 'trade.paid', trade_no: tradeNo, amount: '14745', currency: 'CNY', ...over }),
    )
  const sent = (body: Buffer, by = key, at = tools.now()): SentWebhook => ({ headers: sealed(tools.secret, by, at, body), body })

  return {
    name: 'sandbox',
    env: {},
    tools: { ...tools, publicUrl: () => http.url },
    http,
    secrets: NOTICE_KEYS.map((name) => tools.secret(name).toString('hex')),
    trades: async () => (await db.query<{ tradeNo: string }>('select trade_no from payments_sandbox_trades')).map((row) => row.tradeNo),
    payments: () =>
      db.query(
        'select t.trade_no as "tradeNo", p.txn, p.minor, p.currency from payments_sandbox_payments p join payments_sandbox_trades t on t.token = p.token',
      ),
    refunds: () => db.query('select refund_no as "refundNo", txn, minor, state from payments_sandbox_refunds order by created_at, refund_no'),
    arrive: async () => {},
    pay: async (tradeNo, { minor, currency } = {}) => {
      const trade = (await tradeByNo(outside.query, tradeNo))!
      await settle(outside, { ...trade, minor: minor ?? trade.minor, currency: currency ?? trade.currency }, 'silent')
    },
    decline: async (tradeNo) => {
      await db.query(`update payments_sandbox_trades set state = 'declined' where trade_no = $1`, [tradeNo])
    },
    turnRefund: async (refundNo, state) => {
      await db.query('update payments_sandbox_refunds set state = $2, turns_to = null, turns_at = null where refund_no = $1', [refundNo, state])
    },
    slowRefunds: () => {},
    notice: (tradeNo) => sent(bodyFor(tradeNo)),
    deliver: async () => 0,
    forgeries: (tradeNo, other) => forgeriesOf(sent, bodyFor, tools, tradeNo, other),
    vectors: (tradeNo) =>
      [JSON.stringify, (value: unknown) => JSON.stringify(value, null, 2), (value: unknown) => `${JSON.stringify(value)}\n`].flatMap((write, at) => {
        const good = sent(Buffer.from(write(JSON.parse(bodyFor(tradeNo, { note: '充值+a%2Bb é 💴' }).toString()) as unknown)))
        const touched = (name: string, body: Buffer) => ({ name: `${at} ${name}`, sent: { headers: good.headers, body }, good: false })
        return [
          { name: `${at} as sent`, sent: good, good: true },
          touched('a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good.body])),
          touched('written anew', Buffer.from(` ${good.body.toString()}`)),
          touched('escapes resolved', Buffer.from(good.body.toString().replace('é', '\\u00e9'))),
          touched('packed', gzipSync(good.body)),
        ]
      }),
    rotate: () => {
      key = NOTICE_KEYS[1]
    },
    close: () => http.close(),
  }
}

function forgeriesOf(
  sent: (body: Buffer, by?: string, at?: Date) => SentWebhook,
  bodyFor: (tradeNo: string, over?: Record<string, unknown>) => Buffer,
  tools: ChannelTools,
  tradeNo: string,
  other: string,
): Record<string, SentWebhook> {
  const good = sent(bodyFor(tradeNo))
  const at = (seconds: number) => new Date(tools.now().getTime() + seconds * 1000)
  const header = (name: string, value: string): SentWebhook => ({ body: good.body, headers: { ...good.headers, [name]: value } })
  const without = (name: string): SentWebhook => ({
    body: good.body,
    headers: Object.fromEntries(Object.entries(good.headers).filter(([each]) => each !== name)),
  })
  const body = (changed: string | Buffer): SentWebhook => ({ headers: good.headers, body: Buffer.from(changed as string) })
  const text = good.body.toString()
  const mac = (algorithm: string, secret: Buffer) =>
    createHmac(algorithm, secret).update(`HMAC-SHA256\n${good.headers['sandbox-key']}\n${good.headers['sandbox-time']}\n`).update(good.body).digest('base64url')
  return {
    'no headers': { headers: {}, body: good.body },
    'no signature': without('sandbox-signature'),
    'no key': without('sandbox-key'),
    'no time': without('sandbox-time'),
    'no algorithm': without('sandbox-algorithm'),
    'wrong key': header('sandbox-signature', mac('sha256', Buffer.alloc(32, 1))),
    'another hash': header('sandbox-signature', mac('sha1', tools.secret(good.headers['sandbox-key']!))),
    'algorithm none': header('sandbox-algorithm', 'none'),
    'unknown key': sent(good.body, 'sandbox-key-9'),
    "the merchant's key": sent(good.body, 'sandbox-merchant-key'),
    'stale by 301 s': sent(good.body, NOTICE_KEYS[0], at(-301)),
    'ahead by 302 s': sent(good.body, NOTICE_KEYS[0], at(302)),
    'another merchant': sent(bodyFor(tradeNo, { merchant: 'other' })),
    'tampered amount': body(text.replace('14745', '1')),
    'tampered trade': body(text.replace(tradeNo, other)),
    'cut body': body(good.body.subarray(0, -1)),
    'empty body': body(''),
    'signature of another body': { headers: sent(bodyFor(other)).headers, body: good.body },
  }
}
