import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { backofficeErrors } from './errors.ts'
import { OPERATOR_PERMISSIONS, OPERATOR_ROLE_NAMES } from './permissions.ts'

const mail = z
  .string()
  .max(254)
  .pipe(z.email())
  .transform((text) => text.toLowerCase())
const password = z.string().min(1).max(200)
const code = z.string().regex(/^(?:\d{6}|[0-9A-Za-z]{5}-?[0-9A-Za-z]{5})$/)
const invite = z.string().regex(/^opi_[\w-]{43}$/)
const id = z.string().min(1).max(80)
const opened = z.object({ token: z.string(), sessionId: z.string(), operatorId: z.string() })
/** Credential returned by the browser's WebAuthn API; the passkey library validates the rest. */
const credential = z.looseObject({
  id: z.string().min(1).max(1400),
  rawId: z.string().max(1400),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
})
const options = z.object({ id: z.string(), options: z.record(z.string(), z.unknown()) })
const time = z.string()

const pub = { access: 'public' } as const
const own = { access: 'operator' } as const
const get = { method: 'GET' } as const
const post = { method: 'POST' } as const

/** Operators' sign-in and their own settings. */
export const accessContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  signIn: {
    ...{ ...post, ...pub, path: '/operator/signIn', summary: 'Signs in by password and one-time or recovery code' },
    input: z.object({ mail, password, code }),
    reply: opened,
    errors: ['OPERATOR_SIGN_IN_FAILED', 'OPERATOR_LOCKED'],
  },
  passkeyChallenge: {
    ...{ ...post, ...pub, path: '/operator/passkey/challenge', summary: 'The challenge for signing in by passkey' },
    input: z.object({}),
    reply: options,
    errors: ['OPERATOR_LOCKED'],
  },
  passkeySignIn: {
    ...{ ...post, ...pub, path: '/operator/passkey/signIn', summary: 'Signs in by passkey' },
    input: z.object({ id, credential }),
    reply: opened,
    errors: ['OPERATOR_SIGN_IN_FAILED', 'OPERATOR_LOCKED'],
  },
  openInvite: {
    ...{ ...post, ...pub, path: '/operator/invite/open', summary: 'The mail address of an invitation, and the secret for an authenticator' },
    input: z.object({ invite }),
    reply: z.object({ name: z.string(), mail: z.string(), secret: z.string(), uri: z.string() }),
    errors: ['OPERATOR_INVITE_GONE', 'OPERATOR_LOCKED'],
  },
  acceptInvite: {
    ...{ ...post, ...pub, path: '/operator/invite/accept', summary: 'Sets the password, proves the authenticator and signs in; recovery codes are shown once' },
    input: z.object({ invite, password: z.string().min(12).max(200), code: z.string().regex(/^\d{6}$/) }),
    reply: opened.extend({ recoveryCodes: z.array(z.string()) }),
    errors: ['OPERATOR_INVITE_GONE', 'OPERATOR_SIGN_IN_FAILED', 'OPERATOR_PASSWORD_WEAK', 'OPERATOR_LOCKED'],
  },
  me: {
    ...{ ...get, ...own, path: '/operator/me', summary: 'The signed-in operator and their permissions' },
    input: z.object({}),
    reply: z.object({
      ...{ id: z.string(), name: z.string(), mail: z.string(), roles: z.array(z.enum(OPERATOR_ROLE_NAMES)), permissions: z.array(z.string()) },
      ...{ by: z.enum(['session', 'token']), isProven: z.boolean() },
    }),
    errors: [],
  },
  stepUp: {
    ...{
      ...post,
      ...own,
      path: '/operator/stepUp',
      summary: 'Steps up by one-time code or passkey; the session continues under a new token',
    },
    input: z.union([z.object({ code }), z.object({ id, credential })]),
    reply: z.object({ token: z.string() }),
    errors: ['OPERATOR_SIGN_IN_FAILED', 'OPERATOR_LOCKED', 'OPERATOR_TOKEN'],
  },
  stepUpChallenge: {
    ...{ ...post, ...own, path: '/operator/stepUp/challenge', summary: 'The challenge for stepping up by passkey' },
    input: z.object({}),
    reply: options,
    errors: ['OPERATOR_TOKEN'],
  },
  signOut: {
    ...post,
    ...own,
    path: '/operator/signOut',
    summary: 'Ends the session that asks',
    input: z.object({}),
    reply: emptyReply,
    errors: ['OPERATOR_TOKEN'],
  },
  sessions: {
    ...{ ...get, ...own, path: '/operator/sessions', summary: 'The operator’s sessions' },
    input: z.object({}),
    reply: z.object({
      sessions: z.array(
        z.object({ id: z.string(), method: z.string(), ip: z.string(), userAgent: z.string(), createdAt: time, lastSeenAt: time, current: z.boolean() }),
      ),
    }),
    errors: [],
  },
  endSession: {
    ...{ ...post, ...own, path: '/operator/session/end', summary: 'Ends one of the operator’s own sessions' },
    input: z.object({ sessionId: id }),
    reply: emptyReply,
    errors: ['OPERATOR_TOKEN'],
  },
  passkeys: {
    ...{ ...get, ...own, path: '/operator/passkeys', summary: 'The operator’s passkeys' },
    input: z.object({}),
    reply: z.object({ passkeys: z.array(z.object({ id: z.string(), name: z.string(), createdAt: time, lastUsedAt: time.nullable() })) }),
    errors: [],
  },
  passkeyOptions: {
    ...{ ...post, ...own, path: '/operator/passkey/options', summary: 'The options for creating a passkey' },
    input: z.object({}),
    reply: options,
    errors: ['OPERATOR_STEP_UP', 'OPERATOR_TOKEN'],
  },
  addPasskey: {
    ...{ ...post, ...own, path: '/operator/passkey/add', summary: 'Keeps a new passkey' },
    input: z.object({ id, name: z.string().trim().min(1).max(80), credential }),
    reply: emptyReply,
    errors: ['OPERATOR_STEP_UP', 'OPERATOR_TOKEN', 'OPERATOR_SIGN_IN_FAILED'],
  },
  removePasskey: {
    ...{ ...post, ...own, path: '/operator/passkey/remove', summary: 'Takes a passkey away' },
    input: z.object({ passkeyId: z.string().min(1).max(1400) }),
    reply: emptyReply,
    errors: ['OPERATOR_STEP_UP', 'OPERATOR_TOKEN'],
  },
  newRecovery: {
    ...{ ...post, ...own, path: '/operator/recovery/renew', summary: 'New recovery codes; earlier ones are void' },
    input: z.object({}),
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: ['OPERATOR_STEP_UP', 'OPERATOR_TOKEN'],
  },
  tokens: {
    ...{ ...get, ...own, path: '/operator/tokens', summary: 'The operator’s tokens for scripts' },
    input: z.object({}),
    reply: z.object({
      tokens: z.array(
        z.object({
          ...{ id: z.string(), name: z.string(), permissions: z.array(z.string()), createdAt: time, expiresAt: time },
          ...{ revokedAt: time.nullable(), lastUsedAt: time.nullable() },
        }),
      ),
    }),
    errors: [],
  },
  makeToken: {
    ...{ ...post, ...own, path: '/operator/token/make', summary: 'A token for a script: it asks and never decides; shown once' },
    input: z.object({
      name: z.string().trim().min(1).max(80),
      permissions: z.array(z.enum(OPERATOR_PERMISSIONS)).min(1).max(50),
      days: z.int().min(1).max(366),
    }),
    reply: z.object({ id: z.string(), token: z.string(), expiresAt: time }),
    errors: ['OPERATOR_STEP_UP', 'OPERATOR_TOKEN', 'OPERATOR_GRANT'],
  },
  revokeToken: {
    ...{ ...post, ...own, path: '/operator/token/revoke', summary: 'Ends a token' },
    input: z.object({ tokenId: id }),
    reply: emptyReply,
    errors: ['OPERATOR_TOKEN'],
  },
  operators: {
    ...{ ...get, ...own, path: '/operator/operators', summary: 'Operators and their permissions', permission: 'work.read' },
    input: z.object({}),
    reply: z.object({
      operators: z.array(
        z.object({
          ...{ id: z.string(), name: z.string(), mail: z.string(), roles: z.array(z.string()), permissions: z.array(z.string()) },
          ...{ status: z.string(), createdAt: time },
        }),
      ),
    }),
    errors: [],
  },
})
