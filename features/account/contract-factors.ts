import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { accountErrors } from './errors.ts'

const time = z.iso.datetime()
const id = z.string().min(1).max(80)
/** Six-digit authenticator code, or a recovery code. */
export const factorCode = z.string().regex(/^(?:\d{6}|[0-9A-Za-z]{5}-?[0-9A-Za-z]{5})$/)
/** Credential returned by the browser's WebAuthn API; the passkey library validates the rest. */
const credential = z.looseObject({
  id: z.string().min(1).max(1400),
  rawId: z.string().max(1400),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
})
export const passkeyAnswer = z.object({ id, credential })
const options = z.object({ id: z.string(), options: z.record(z.string(), z.unknown()) })
const codes = z.object({ recoveryCodes: z.array(z.string()) })
const post = { method: 'POST', access: 'user' } as const

/** Passkeys and an authenticator: factors beyond password and code. Once a user has one, only factors satisfy a step-up. */
export const factorsContract = defineContract({ ...commonErrors, ...accountErrors })({
  factors: {
    ...{ method: 'GET', access: 'user', path: '/user/factors', summary: 'Passkeys, authenticator, and how many recovery codes are left' },
    input: emptyReply,
    reply: z.object({
      authenticatorSince: time.nullable(),
      recoveryLeft: z.number(),
      passkeys: z.array(z.object({ id: z.string(), name: z.string(), createdAt: time, lastUsedAt: time.nullable() })),
    }),
    errors: [],
  },
  startAuthenticator: {
    ...{ ...post, path: '/user/authenticator/start', summary: 'A secret for an authenticator; active once a code confirms it' },
    input: emptyReply,
    reply: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['STEP_UP_REQUIRED', 'FACTOR_EXISTS'],
  },
  confirmAuthenticator: {
    ...{ ...post, path: '/user/authenticator/confirm', summary: 'Confirms the authenticator by a code; recovery codes are shown once' },
    input: z.object({ code: z.string().regex(/^\d{6}$/) }),
    reply: codes,
    errors: ['STEP_UP_REQUIRED', 'CODE_WRONG', 'TOO_MANY'],
  },
  removeAuthenticator: {
    ...{ ...post, path: '/user/authenticator/remove', summary: 'Takes the authenticator away; recovery codes go with the last factor' },
    input: emptyReply,
    reply: emptyReply,
    errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
  },
  renewRecovery: {
    ...{ ...post, path: '/user/recovery/renew', summary: 'New recovery codes; those of before are worth nothing' },
    input: emptyReply,
    reply: codes,
    errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
  },
  passkeyOptions: {
    ...{ ...post, path: '/user/passkey/options', summary: 'Options for creating a passkey' },
    input: emptyReply,
    reply: options,
    errors: ['STEP_UP_REQUIRED'],
  },
  addPasskey: {
    ...{ ...post, path: '/user/passkey/add', summary: 'Keeps a new passkey; with the first factor come recovery codes' },
    input: passkeyAnswer.extend({ name: z.string().trim().min(1).max(80) }),
    reply: codes,
    errors: ['STEP_UP_REQUIRED', 'CODE_WRONG'],
  },
  removePasskey: {
    ...{ ...post, path: '/user/passkey/remove', summary: 'Takes a passkey away' },
    input: z.object({ passkeyId: z.string().min(1).max(1400) }),
    reply: emptyReply,
    errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
  },
  stepUpChallenge: {
    ...{ ...post, path: '/user/secondaryVerify/passkey', summary: 'Challenge that a passkey signs for a step-up' },
    input: emptyReply,
    reply: options,
    errors: ['NOT_FOUND', 'TOO_MANY'],
  },
})
