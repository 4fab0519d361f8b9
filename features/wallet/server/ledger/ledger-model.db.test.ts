import fc from 'fast-check'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { useTestDb } from '#platform/testing/db.ts'
import * as audit from '../model/auditor.ts'
import type { LedgerModel } from '../model/auditor.ts'
import { assertLedgerInvariants, formatModelState } from '../model/state.ts'
import { COUNTS } from '../testing/counts.ts'
import { verifyLedger } from '../verify.ts'

/** L1: 4 lanes, each a database of its own, because the sweep of overdue holds sees the whole of it. */
const LANES = 4
const lanes = await Promise.all(Array.from({ length: LANES }, () => useTestDb({ max: 1 })))

/** Every value is an index into the run's accounts: 6 users x (customer, receivable) and 8 house accounts x 3 currencies. */
interface Command {
  what:
    | 'nothing'
    | 'topup'
    | 'grant'
    | 'spend'
    | 'withdraw'
    | 'fee'
    | 'fx'
    | 'refund'
    | 'revoke'
    | 'chargeback'
    | 'again'
    | 'reuse'
    | 'hold'
    | 'rehold'
    | 'capture'
    | 'void'
    | 'sweep'
    | 'resize'
    | 'batch'
    | 'zero'
    | 'pair'
    | 'earn'
    | 'unearn'
    | 'keep'
    | 'payout'
  user: number
  currency: number
  other: number
  amount: number
  pick: number
  flag: boolean
  second: boolean
}

/** With few accounts, money meets holds, captures and refunds far more often than with many: most lanes are dense, one is wide. */
const DENSE = { users: 2, currencies: 2 }
const WIDE = { users: 6, currencies: 3 }
const commandIn = ({ users, currencies }: typeof DENSE): fc.Arbitrary<Command> =>
  fc.record({
    what: fc.constantFrom(
      'nothing',
      'topup',
      'topup',
      'topup',
      'grant',
      'grant',
      'spend',
      'spend',
      'spend',
      'withdraw',
      'fee',
      'fx',
      'refund',
      'refund',
      'revoke',
      'chargeback',
      'again',
      'reuse',
      'hold',
      'hold',
      'hold',
      'rehold',
      'capture',
      'capture',
      'capture',
      'void',
      'sweep',
      'resize',
      'batch',
      'batch',
      'zero',
      'pair',
      'earn',
      'earn',
      'unearn',
      'keep',
      'payout',
    ),
    user: fc.nat(users - 1),
    currency: fc.nat(currencies - 1),
    other: fc.nat(currencies - 1),
    amount: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 300 })),
    pick: fc.nat(1000),
    flag: fc.boolean(),
    second: fc.boolean(),
  })

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
const leg = (from: string, to: string, { amount, more = {} }: { readonly amount: bigint | string; readonly more?: object }) => {
  const [debitOwner, debitKind, currency] = from.split('/')
  const [creditOwner, creditKind] = to.split('/')
  return { debit_owner: debitOwner, debit_kind: debitKind, credit_owner: creditOwner, credit_kind: creditKind, currency, amount: String(amount), ...more }
}
const postText = (kind: string, ref: string, legs: object[]) =>
  `select 'ok' as outcome from wallet_post(${quote(kind)}, ${quote(ref)}, ${quote(JSON.stringify(legs))})`

interface Run {
  name: string
  currencies: string[]
  model: LedgerModel
  posts: { ref: string; legs: object[]; user: string; currency: string; from: string }[]
  step: number
}

/** The statement of a command and the auditor's result for it; undefined if there is nothing to act on. */
function plan(run: Run, m: LedgerModel, c: Command): { sql: string; outcome: () => string } | undefined {
  const currency = run.currencies[c.currency]!
  const user = `${run.name}u${c.user}`
  const me = audit.customerKey(user, currency)
  const mine = audit.rewardKey(user, currency)
  const house = (kind: string) => audit.systemKey(kind, currency)
  const amount = BigInt(c.amount)
  const ref = `${run.name}:${run.step}`
  const holds = [...m.holds.keys()]
  const holdId = holds[c.pick % Math.max(1, holds.length)]
  const posting = run.posts[c.pick % Math.max(1, run.posts.length)]

  const simple = (
    from: string,
    to: string,
    { options = {}, more = {} }: { readonly options?: Parameters<typeof audit.applyMovement>[2]['options']; readonly more?: object } = {},
  ) => {
    const legs = [leg(from, to, { amount, more })]
    return {
      sql: postText('move', ref, legs),
      outcome: () => {
        const uses = audit.applyMovement(m, from, { to, amount, options })
        if (from === me) {
          m.uses.set(ref, uses)
          run.posts.push({ ref, legs, user, currency, from: to })
        }
        if (to === me) audit.repayDebt(m, user, currency)
        return 'ok'
      },
    }
  }
  switch (c.what) {
    case 'nothing':
      return undefined
    case 'topup': {
      const legs = [leg(house('wash'), me, { amount }), ...(c.flag ? [leg(house('wash'), house('fees'), { amount: '3' })] : [])]
      return {
        sql: postText('move', ref, legs),
        outcome: () => {
          audit.applyMovement(m, house('wash'), { to: me, amount })
          if (c.flag) audit.applyMovement(m, house('wash'), { to: house('fees'), amount: 3n })
          audit.repayDebt(m, user, currency)
          return 'ok'
        },
      }
    }
    case 'grant':
      return simple(house('grants'), me, { options: { lot: 'granted' } })
    case 'spend':
      return simple(me, house('revenue'), { options: { purchasedOnly: c.flag && c.second }, more: c.flag && c.second ? { take_kind: 'purchased' } : {} })
    case 'withdraw':
      return simple(me, house('in_transit'), { options: { purchasedOnly: true }, more: { take_kind: 'purchased' } })
    case 'fee':
      return simple(me, house('fees'))
    case 'earn':
      return simple(house('marketing'), mine)
    case 'unearn':
      return simple(mine, house('marketing'))
    case 'keep': // granted, whatever lot it requests
      return simple(mine, me, { options: {}, more: c.flag ? { lot_kind: 'purchased' } : {} })
    case 'payout':
      return c.flag ? simple(mine, house('in_transit')) : simple(house('in_transit'), mine)
    case 'pair':
      return {
        sql: postText('move', ref, [leg(me, house('wash'), { amount }), leg(house('revenue'), house('grants'), { amount: 1n })]),
        outcome: () => {
          throw new audit.LedgerModelRefusal(audit.getAvailable(m, me) < amount ? 'INSUFFICIENT_FUNDS' : 'wallet_transfers_debit_kind_credit_kind_fkey')
        },
      }
    case 'zero':
      return {
        sql: postText('move', ref, [leg(house('wash'), me, { amount: c.flag ? 0n : -amount })]),
        outcome: () => {
          throw new audit.LedgerModelRefusal('BAD_AMOUNT')
        },
      }
    case 'fx': {
      const there = run.currencies[c.other]!
      if (there === currency) return undefined
      const legs = [leg(me, house('fx'), { amount }), leg(audit.systemKey('fx', there), audit.customerKey(user, there), { amount: amount * 7n })]
      return {
        sql: postText('fx', ref, legs),
        outcome: () => {
          audit.applyMovement(m, me, { to: house('fx'), amount })
          audit.applyMovement(m, audit.systemKey('fx', there), { to: audit.customerKey(user, there), amount: amount * 7n })
          audit.repayDebt(m, user, there)
          return 'ok'
        },
      }
    }
    case 'refund': {
      if (!posting?.from.includes('/revenue/')) return undefined
      const target = audit.customerKey(posting.user, posting.currency)
      const legs = [leg(posting.from, target, { amount, more: { undoes: '#' } })]
      const sql = `select 'ok' as outcome from wallet_post('move', ${quote(ref)}, replace(${quote(JSON.stringify(legs))}, '#',
        (select id::text from wallet_transactions where (kind, ref) = ('move', ${quote(posting.ref)})))::jsonb)`
      return {
        sql,
        outcome: () => {
          audit.applyMovement(m, posting.from, { to: target, amount, options: { undoes: posting.ref } })
          audit.repayDebt(m, posting.user, posting.currency)
          return 'ok'
        },
      }
    }
    case 'revoke':
      return simple(me, house('breakage'))
    case 'chargeback':
      return {
        sql: postText('move', ref, [leg(me, house('wash'), { amount, more: { owe: true } })]),
        outcome: () => {
          const free = audit.getAvailable(m, me)
          const paid = free < amount ? free : amount
          if (paid > 0n) audit.applyMovement(m, me, { to: house('wash'), amount: paid })
          if (paid < amount) audit.applyMovement(m, audit.receivableKey(user, currency), { to: house('wash'), amount: amount - paid })
          return 'ok'
        },
      }
    case 'again':
      return (
        posting && {
          sql: `select replayed::text as outcome from wallet_post('move', ${quote(posting.ref)}, ${quote(JSON.stringify(posting.legs))})`,
          outcome: () => 'true',
        }
      )
    case 'reuse':
      return (
        posting && {
          sql: postText('move', posting.ref, [...posting.legs, leg(house('wash'), house('fees'), { amount: 1n })]),
          outcome: () => {
            throw new audit.LedgerModelRefusal('LEDGER_REF_REUSED')
          },
        }
      )
    case 'hold':
    case 'rehold': {
      const known = c.what === 'rehold' ? holdId && m.holds.get(holdId) : undefined
      if (c.what === 'rehold' && !known) return undefined
      const id = known ? holdId! : `h${ref}`
      const due = !known && c.second && c.pick % 3 === 0
      const wanted = known
        ? { user: known.user, currency: known.currency, amount: c.flag ? known.asked : amount, strict: known.strict }
        : { user, currency, amount, strict: c.second && c.pick % 3 === 1 }
      const atLeast = !known && c.flag ? (amount + 1n) / 2n : undefined
      return {
        sql: `select status as outcome from wallet_hold(${quote(id)}, ${quote(`user:${wanted.user}`)}, ${wanted.amount}, ${due ? "'-1 second'" : "'1 hour'"}, 'test', ${quote(wanted.currency)},
          p_only_purchased => ${wanted.strict}, p_at_least => ${atLeast ?? 'null'})`,
        outcome: () =>
          audit.placeModelHold(m, id, {
            user: wanted.user,
            currency: wanted.currency,
            amount: wanted.amount,
            options: { strict: wanted.strict, atLeast, due },
          }),
      }
    }
    case 'capture':
      return holdId === undefined
        ? undefined
        : {
            sql: `select 'ok' as outcome from wallet_capture(${quote(holdId)}, ${amount}, 'move', ${quote(ref)}, p_close => ${c.flag}, p_over_reason => ${c.second ? "'cleared above'" : 'null'})`,
            outcome: () => {
              audit.captureModelHold(m, holdId, { amount, ref, options: { close: c.flag, over: c.second } })
              return 'ok'
            },
          }
    case 'void':
      return { sql: `select wallet_void(${quote(holdId ?? 'none')}) as outcome`, outcome: () => audit.voidModelHold(m, holdId ?? 'none') }
    case 'sweep':
      return { sql: `select wallet_expire()::text as outcome`, outcome: () => String(audit.expireModelHolds(m)) }
    case 'resize': {
      if (holdId === undefined) return undefined
      const delta = c.flag ? amount : -amount
      return {
        sql: `select changed::text as outcome from wallet_resize(${quote(holdId)}, ${delta})`,
        outcome: () => String(audit.resizeModelHold(m, holdId, delta)),
      }
    }
    case 'batch': {
      const chosen = Array.from({ length: 1 + (c.pick % 5) }, (_, i) => holds[(c.pick * 7 + i * c.amount) % Math.max(1, holds.length)]).filter(
        (id) => id !== undefined,
      )
      const rows = [...chosen, 'unknown'].map((id, i) => ({ id, amount: BigInt((c.amount * (i + 3)) % 50), ref: `${ref}:${i}` }))
      return {
        sql: `select string_agg(concat_ws('/', outcome, captured, from_available, debt), ' ') as outcome from wallet_capture_many(
          array[${rows.map((row) => quote(row.id)).join()}], array[${rows.map((row) => row.amount).join()}]::bigint[], array[${rows.map((row) => quote(row.ref)).join()}], 'usage')`,
        outcome: () => {
          const results = rows.map((row) => {
            if (row.id === 'unknown') return 'hold_unknown/0/0/0'
            if (row.amount === 0n) return 'replayed/0/0/0'
            const { captured, fromAvailable, debt } = audit.chargeModelHold(m, row.id, { amount: row.amount, ref: row.ref })
            return `captured/${captured}/${fromAvailable}/${debt}`
          })
          for (const { id } of rows) {
            const hold = m.holds.get(id)
            if (hold) audit.repayDebt(m, hold.user, hold.currency)
          }
          return results.join(' ')
        },
      }
    }
  }
}

let runs = 0

async function history(lane: pg.PoolClient, commands: readonly Command[]): Promise<void> {
  const number = runs++
  await lane.query('select wallet_expire(100000)') // overdue entries left by the earlier history
  const currencies = [0, 1, 2].map((i) => {
    const n = number * 3 + i
    return [n % 26, Math.floor(n / 26) % 26, Math.floor(n / 676) % 26].map((d) => String.fromCharCode(65 + d)).join('')
  })
  const run: Run = { name: `r${number}`, currencies, model: audit.createLedgerModel(), posts: [], step: 0 }
  const users = Array.from({ length: 6 }, (_, i) => `'user:${run.name}u${i}'`).join()
  const state = `select coalesce(string_agg(owner || '/' || kind || '/' || currency || '=' || posted || ',' || held || ',' || granted, ' '
    order by owner collate "C", kind collate "C", currency), '') as state from wallet_accounts where (posted <> 0 or held <> 0) and (owner in (${users})
      or (owner = 'system' and currency in (${currencies.map(quote).join()}) and kind in ('wash', 'revenue', 'fees', 'fx', 'breakage', 'grants', 'in_transit', 'suspense', 'marketing')))`
  for (const c of commands) {
    run.step++
    const planned = plan(run, run.model, c)
    if (!planned) continue
    let expected: string
    try {
      expected = planned.outcome()
    } catch (error) {
      if (!(error instanceof audit.LedgerModelRefusal)) throw error
      expected = error.message
    }
    let seen: string
    let outcome: string
    try {
      const results = (await lane.query(`${planned.sql}; ${state}`)) as unknown as { rows: Record<string, string>[] }[]
      outcome = String(results[0]!.rows[0]!.outcome)
      seen = results[1]!.rows[0]!.state!
    } catch (error) {
      const { code, message, constraint } = error as { code: string; message: string; constraint?: string }
      outcome = code === 'MX001' ? message : (constraint ?? message)
      seen = (await lane.query<{ state: string }>(state)).rows[0]!.state
    }
    if (outcome !== expected || seen !== formatModelState(run.model)) {
      expect({ outcome, state: seen.split(' ') }, `${run.name} step ${run.step} ${JSON.stringify(c)}`).toEqual({
        outcome: expected,
        state: formatModelState(run.model).split(' '),
      })
    }
    assertLedgerInvariants(seen)
  }
  const lots = await lane.query<{
    name: string
    rest: bigint[]
  }>(`select a.owner || '/customer/' || a.currency as name, array_agg(l.remaining order by l.id) as rest
    from wallet_lots l join wallet_accounts a on a.id = l.account_id where a.owner in (${users}) group by 1`)
  for (const { name, rest } of lots.rows) expect(rest.map(BigInt), name).toEqual(audit.getLots(run.model, name).map((lot) => lot.remaining))
}

test(`L1: ${COUNTS.modelRuns} random histories agree with the auditor after every command`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  console.log(`L1 seed ${seed}`)
  await Promise.all(
    lanes.map(async (lane, index) => {
      const command = commandIn(index === 0 ? WIDE : DENSE)
      // one connection throughout: a pooled one ends with each command that is refused
      const connection = await lane.pool.connect()
      await connection.query('set synchronous_commit = off')
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: COUNTS.modelCommands, maxLength: COUNTS.modelCommands }), (commands) => history(connection, commands)),
        { numRuns: COUNTS.modelRuns / LANES, seed: seed + index, endOnFailure: true },
      )
      connection.release()
      const { problems } = await verifyLedger(lane)
      expect(problems).toEqual([])
    }),
  )
})
