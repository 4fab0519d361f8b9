import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { CHECK_STATES, IDENTITY_STATUSES } from './contract-words.ts'
import { identityErrors } from './errors.ts'

export const certifyId = z.string().regex(/^face_[0-9A-Z]{26}$/)
const returnUrl = z.string().max(500)

export const faceCheckReply = z.object({
  certifyId,
  /** URL of the check: opened on a phone, shown as a QR code on a computer. '' when it is over. */
  url: z.string(),
  state: z.enum(CHECK_STATES),
  /** `FACE_STATUS`. */
  status: z.number(),
  secondsLeft: z.number(),
  /** Checks left in this period. */
  triesLeft: z.number(),
})
export type FaceCheckReply = z.output<typeof faceCheckReply>

const startErrors = [
  'IDENTITY_STEP_MISSING',
  'IDENTITY_US_TAXPAYER',
  'IDENTITY_REJECTED',
  'IDENTITY_DONE',
  'FACE_LIMIT',
  'FACE_AWAY',
  'FACE_REFUSED',
  'FACE_NEEDS_IDCARD',
] as const

const start = <M extends 'GET' | 'POST'>(method: M, path: string) => ({
  method,
  path,
  access: 'user' as const,
  summary: 'Begins a face check with the saved data, or continues the open one',
  timeoutMs: 30_000,
  input: z.object({ returnUrl: returnUrl.optional() }),
  reply: faceCheckReply,
  errors: startErrors,
})
const status = (path: string) => ({
  method: 'GET' as const,
  path,
  access: 'user' as const,
  summary: 'State of a face check, queried from its vendor',
  timeoutMs: 30_000,
  input: z.object({ certifyId }),
  reply: faceCheckReply,
  errors: ['CHECK_NOT_FOUND'] as const,
})
const formData = (path: string) => ({
  method: 'GET' as const,
  path,
  access: 'user' as const,
  summary: 'The page of a face check as a form that a browser submits',
  input: z.object({ certifyId }),
  reply: z.object({ certifyId, action: z.string(), method: z.literal('GET'), fields: z.record(z.string(), z.string()) }),
  errors: ['CHECK_NOT_FOUND'] as const,
})

/** The face check, under every path that clients use. */
export const faceContract = defineContract(identityErrors)({
  identityVerify: start('GET', '/account/identityVerify'),
  identityVerifyStatus: status('/account/identityVerifyStatus'),
  identityFormData: formData('/account/identity/formData'),
  userIdentityVerify: start('GET', '/v1/user/identityVerify'),
  userIdentityVerifyStatus: status('/v1/user/identityVerifyStatus'),
  userIdentityFormData: formData('/v1/user/identity/formData'),
  payIdentityVerify: start('POST', '/v1/pay/identityVerify'),
  payIdentityStatus: {
    method: 'GET',
    path: '/v1/pay/identityStatus',
    access: 'user',
    summary: 'Reports whether the user is identified',
    input: z.object({}),
    reply: z.object({ identityStatus: z.enum(IDENTITY_STATUSES), identityInfoStatus: z.number(), certifyId: certifyId.nullable() }),
    errors: [],
  },
  rechargeIdentity: {
    method: 'POST',
    path: '/v1/pay/rechargeIdentity',
    access: 'user',
    summary: 'Reports whether an order waits for the face check first',
    input: z.object({ orderNo: z.string().regex(/^\d{8}-[0-9A-Z]{12}$/) }),
    reply: z.object({ isAuth: z.boolean(), identityStatus: z.enum(IDENTITY_STATUSES), certifyId: certifyId.nullable() }),
    errors: [],
  },
})
