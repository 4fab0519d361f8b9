import { setTimeout as sleep } from 'node:timers/promises'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { freezeAccount, thawAccount } from '#features/account/server/freezing/freeze-account.ts'
import { endKey } from '#features/gateway/server/keys/data.ts'
import { withdrawBalance } from '../attacker.ts'
import type { Attacker } from '../attacker.ts'
import { CHAT_PATH, MESSAGES_PATH, pickInTurn, toGeminiPath, repeatRequest, buildGeminiBody, buildUserMessages } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const expensiveBody = { model: 'gpt-6.2-sol', max_completion_tokens: 40_000, messages: buildUserMessages() }

const operator = { kind: 'operator', id: 'attack' } as const

/** Runs `other` at an interval until the time is over, in parallel with `work`. */
async function repeatDuring(
  attacker: Attacker,
  ms: number,
  { other, work }: { readonly other: () => Promise<void>; readonly work: Promise<unknown> },
): Promise<void> {
  const always = async (): Promise<void> => {
    while (!attacker.isOver()) {
      await other()
      await sleep(ms)
    }
  }
  await Promise.all([always(), work])
}

/** Strategies around the call: nodes, keys, the balance. */
export const ACCOUNT_STRATEGIES: readonly Strategy[] = [
  {
    name: 'two-hundred-at-once',
    tries: 'two hundred calls in one moment over three nodes',
    run: (attacker) =>
      attacker.loop(1, async () => {
        const replies = await Promise.all(
          Array.from({ length: 200 }, (_, n) => attacker.ask(CHAT_PATH, { model: 'gpt-6-sol', messages: buildUserMessages() }, { node: n })),
        )
        await sleep(300)
        return replies.find((reply) => reply.status === 200) ?? replies[0]
      }),
  },
  {
    name: 'keys-come-and-go',
    tries: 'keys made, used and deleted while their calls run',
    run: async (attacker) => {
      let made = await attacker.newKey()
      await repeatDuring(attacker, 150, {
        other: async () => {
          const old = made
          made = await attacker.newKey()
          await transact(attacker.db, SYSTEM, async (tx) => {
            await endKey(tx, old.keyId)
            await tx.audit('key.deleted', `key:${old.keyId}`)
          })
        },
        work: attacker.loop(10, (n) =>
          attacker.ask(CHAT_PATH, { ...expensiveBody, stream: n % 2 === 0 }, { key: made.secret, ...(n % 3 ? {} : { leaveAfter: n % 5 }) }),
        ),
      })
    },
  },
  {
    name: 'withdraw-meanwhile',
    tries: 'the balance withdrawn while calls run',
    run: (attacker) =>
      repeatDuring(attacker, 200, {
        other: () => withdrawBalance(attacker.db, attacker.userId, 5n * NANO_PER_USD),
        work: attacker.loop(12, (n) => attacker.ask(CHAT_PATH, expensiveBody, n % 2 ? {} : { leaveAfterMs: 3 })),
      }),
  },
  {
    name: 'frozen-meanwhile',
    tries: 'an account that is frozen while its calls run and keeps calling',
    run: async (attacker) => {
      let isFrozen = false
      await attacker.db.query('insert into account_users (id, created_at) values ($1, now())', [attacker.userId])
      await repeatDuring(attacker, 400, {
        other: async () => {
          const change = isFrozen ? thawAccount : freezeAccount
          isFrozen = !isFrozen
          await change({ db: attacker.db, clock: { now: () => new Date() } }, operator, { userId: attacker.userId, reason: 'attack' })
        },
        work: attacker.loop(8, (n) => attacker.ask(CHAT_PATH, expensiveBody, n % 2 ? {} : { leaveAfterMs: 3 })),
      })
    },
  },
  {
    name: 'credentials-mixed',
    tries: 'several keys in one request, in all places where one may stand',
    run: async (attacker) => {
      const other = (await attacker.newKey()).secret
      await repeatRequest(8, (n) => pickInTurn([CHAT_PATH, MESSAGES_PATH, `${toGeminiPath('gemini-3.8-flash')}?key=${other}`], n), {
        body: (n) => pickInTurn<object>([expensiveBody, { model: 'claude-opus-5-5', max_tokens: 30_000, messages: buildUserMessages() }, buildGeminiBody()], n),
        asking: (n) => ({
          headers: pickInTurn<Record<string, string>>(
            [
              { 'x-api-key': other },
              { 'authorization': 'Bearer ', 'x-api-key': attacker.key },
              { 'x-goog-api-key': 'nothing' },
              { 'api-key': 'mine', 'openai-organization': 'org-a' },
            ],
            n,
          ),
        }),
      })(attacker)
    },
  },
  {
    name: 'idempotency-key',
    tries: 'one Idempotency-Key for all calls',
    run: repeatRequest(12, CHAT_PATH, { body: (n) => ({ ...expensiveBody, user: String(n) }), asking: { headers: { 'idempotency-key': 'always-the-same' } } }),
  },
  {
    name: 'free-floods',
    tries: 'what is free, without end, and a paid call now and then',
    run: repeatRequest(
      10,
      (n) => pickInTurn(['/v1/moderations', '/v1/messages/count_tokens', toGeminiPath('gemini-3.8-flash', 'countTokens'), '/v1/quote', CHAT_PATH], n),
      {
        body: (n) =>
          pickInTurn<object>(
            [
              { model: 'omni-moderation-latest', input: 'hello' },
              { model: 'claude-opus-5-5', messages: buildUserMessages() },
              buildGeminiBody(),
              { ...expensiveBody },
              expensiveBody,
            ],
            n,
          ),
      },
    ),
  },
  {
    name: 'broken-requests',
    tries: 'heads without bodies, lengths that are wrong, and the end in the middle',
    run: repeatRequest(6, CHAT_PATH, {
      body: (n) => pickInTurn(['', '{', JSON.stringify(expensiveBody).slice(0, -1), '[]', 'null', `{"model":"gpt-6.2-sol","messages":${'['.repeat(5_000)}`], n),
    }),
  },
]
