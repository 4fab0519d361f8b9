import { z } from 'zod'
import { defineContract, fileReply, emptyReply, usdText } from '#platform/shared/contract.ts'
import { gatewayErrors } from './contract.ts'

const keyId = z.string().min(1).max(60)
const requestKey = z.string().min(16).max(200)

/** Output token limit of a test call. */
export const MAX_TEST_TOKENS = 200
/** Limit on test calls per user and hour. */
export const MAX_TESTS_PER_HOUR = 30

/** A piece of a test call's answer, one per line: the text, then the outcome. */
export const testPiece = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('end'), requestId: z.string(), firstByteMs: z.number(), totalMs: z.number() }),
  z.object({ kind: z.literal('refused'), requestId: z.string(), status: z.number(), message: z.string() }),
])
export type TestPiece = z.output<typeof testPiece>

/** Key endpoints other than create, change and delete. */
export const keysContract = defineContract(gatewayErrors)({
  keySpend: {
    method: 'GET',
    path: '/user/key/spend',
    access: 'user',
    summary: 'Spend of each key on each of the last 30 days (Shanghai), oldest first; keys without use are left out',
    input: emptyReply,
    reply: z.object({
      from: z.string(),
      to: z.string(),
      keys: z.array(z.object({ keyId: z.string(), days: z.array(usdText), callNum: z.number(), consumeAmount: usdText })),
    }),
    errors: [],
  },
  rotateKey: {
    method: 'POST',
    path: '/user/key/rotate',
    access: 'user',
    summary:
      'Gives an API key another secret, shown by this reply only; the old one works for 24 hours beside it. Limits, budgets and usage are kept. Wants a login or step-up of the last ten minutes',
    // Not `idempotency: 'required'`: that stores replies, and this one holds a secret. `requestKey` makes it idempotent instead.
    input: z.object({ keyId, requestKey }),
    reply: z.object({ apiToken: z.string(), keyId: z.string(), keyName: z.string(), masked: z.string(), oldEndsAt: z.string() }),
    errors: ['KEY_NOT_FOUND', 'KEY_CHANGE_OFF', 'KEY_ROTATING', 'KEY_REQUEST_USED', 'STEP_UP_REQUIRED'],
  },
  endOldSecret: {
    method: 'POST',
    path: '/user/key/endOld',
    access: 'user',
    summary: 'Ends the old secret of a rotated key: refused everywhere within a second',
    input: z.object({ keyId }),
    reply: emptyReply,
    errors: ['KEY_NOT_FOUND'],
  },
  switchKey: {
    method: 'POST',
    path: '/user/key/switch',
    access: 'user',
    summary: 'Disables an API key, refused everywhere within a second, or enables it again, which wants a login or step-up of the last ten minutes',
    input: z.object({ keyId, on: z.boolean() }),
    reply: emptyReply,
    errors: ['KEY_PAUSED', 'KEY_NOT_FOUND', 'KEY_CHANGE_OFF', 'STEP_UP_REQUIRED'],
  },
  testKey: {
    method: 'POST',
    path: '/user/key/test',
    access: 'user',
    summary: `Makes a real call as this key, at most ${MAX_TEST_TOKENS} tokens of output, limited and billed like any; answers line by line as it comes (JSON lines)`,
    input: z.object({ keyId, model: z.string().min(1).max(120), text: z.string().trim().min(1).max(500) }),
    reply: fileReply,
    errors: ['KEY_NOT_FOUND', 'TEST_TOO_MANY'],
    timeoutMs: 0,
  },
})
