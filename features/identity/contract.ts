import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { isIdentityNumber } from '#platform/shared/identity-number.ts'
import { faceCheckReply } from './contract-face.ts'
import { filePath, paperReading } from './contract-papers.ts'
import {
  IDENTITY_METHODS,
  OPENING_STEPS,
  IDENTITY_PAPERS,
  IDENTITY_PICTURES,
  UPLOAD_PURPOSES,
  IDENTITY_REASONS,
  VERIFICATION_STATUSES,
} from './contract-words.ts'
import { identityErrors } from './errors.ts'

const day = z.iso.date()
const line = (most: number) => z.string().trim().max(most)
/** Name as embossed by the issuer: capital letters, blanks and hyphens between them. */
const latin = z
  .string()
  .trim()
  .transform((text) => text.toUpperCase())
  .pipe(z.string().regex(/^[A-Z](?:[A-Z '-]{0,28}[A-Z])?$/))
const chineseName = z
  .string()
  .trim()
  .regex(/^\p{Script=Han}[\p{Script=Han}·]{0,28}\p{Script=Han}$/u)

const person = {
  paper: z.enum(IDENTITY_PAPERS),
  /** '' only with a passport without one. */
  chineseName: z.union([z.literal(''), chineseName]).default(''),
  lastName: latin,
  firstName: latin,
  /** Number of the identity card or the passport. */
  number: z
    .string()
    .trim()
    .transform((text) => text.toUpperCase().replaceAll(' ', ''))
    .pipe(z.string().regex(/^[A-Z0-9]{6,18}$/)),
  birthDate: day,
  /** 'forever' for old cards without an expiry. */
  validUntil: z.union([z.literal('forever'), day]),
  validFrom: day.optional(),
  issuer: line(60).default(''),
  province: line(40).default(''),
  city: line(40).default(''),
  county: line(40).default(''),
  street: line(120).min(2),
  postalCode: line(10).default(''),
  /** The holder's e-mail, if it differs from the account's. */
  email: z.union([z.literal(''), z.email().max(100)]).default(''),
}
/** Uploaded pictures by purpose; the flow's `needed` lists the required ones. With a face check, `photo` is optional. */
const files = z.partialRecord(z.enum(UPLOAD_PURPOSES), filePath)

/** Payload of /account/create. */
export const accountPayload = z
  .object({
    ...person,
    files,
    /** Names of the fields that the user compared with the picture. */
    confirmed: z.array(z.string().max(30)).max(20),
  })
  .refine((it) => it.paper !== 'idcard' || isIdentityNumber(it.number), { path: ['number'] })
  .refine((it) => it.paper !== 'idcard' || it.chineseName !== '', { path: ['chineseName'] })
  .refine((it) => it.paper !== 'passport' || /^[A-Z]{1,2}[0-9]{7,8}$/.test(it.number), { path: ['number'] })

/** Unsaved input of the form, as typed. */
const draft = z.object({
  values: z.record(z.string().max(30), z.string().max(200)).refine((it) => Object.keys(it).length <= 30),
  confirmed: z.array(z.string().max(30)).max(20),
})

const shownFile = z.object({ filePath, width: z.number(), height: z.number(), until: z.number(), sign: z.string() })

export const openingFlowReply = z.object({
  status: z.enum(VERIFICATION_STATUSES),
  /** Reason for the review or the rejection. */
  reason: z.enum(IDENTITY_REASONS).nullable(),
  /** Current step; all steps before it are done. */
  step: z.enum(OPENING_STEPS),
  method: z.enum(IDENTITY_METHODS).nullable(),
  /** Methods that can be chosen now. */
  methods: z.array(z.enum(IDENTITY_METHODS)),
  isTaxResidentUS: z.boolean().nullable(),
  /** `INFO_STATUS`, and the check's `FACE_STATUS`; null: no check yet. */
  identityInfoStatus: z.number(),
  faceStatus: z.number().nullable(),
  draft: draft.nullable(),
  /** Saved data, with the number shortened. */
  saved: z.object({ chineseName: z.string(), lastName: z.string(), firstName: z.string(), number: z.string(), paper: z.enum(IDENTITY_PAPERS) }).nullable(),
  files: z.partialRecord(z.enum(UPLOAD_PURPOSES), shownFile),
  /** Pictures to upload, by paper and in this order; with the deposit, a photo of the holder too. */
  needed: z.record(z.enum(IDENTITY_PAPERS), z.array(z.enum(IDENTITY_PICTURES))),
  readings: z.array(paperReading),
  check: faceCheckReply.nullable(),
  photoDays: z.number(),
  /** Sample documents can be uploaded; demo only, never in production. */
  samples: z.boolean(),
})
export type OpeningFlow = z.output<typeof openingFlowReply>

const step = { access: 'user' as const, method: 'POST' as const, reply: openingFlowReply }
const closedErrors = ['IDENTITY_DONE', 'IDENTITY_US_TAXPAYER', 'IDENTITY_REJECTED', 'IDENTITY_STEP_MISSING'] as const

const create = (path: string) => ({
  ...step,
  path,
  summary: 'Saves who the holder is, with the pictures that show it: of the papers, and of the holder where no face check is made',
  input: accountPayload,
  errors: [
    ...closedErrors,
    'IDENTITY_TOO_YOUNG',
    'NAME_MISMATCH',
    'IDENTITY_MISMATCH',
    'POSTAL_CODE_WRONG',
    'ADDRESS_UNREADABLE',
    'CONFIRM_MISSING',
    'PAPER_MISSING',
    'PAPER_EXPIRED',
    'UPLOAD_NOT_FOUND',
    'NO_FACE_LIMIT',
    'FACE_NEEDS_IDCARD',
  ] as const,
})
const update = (path: string) => ({
  ...step,
  path,
  summary: 'Opens what was saved for correction; a face check that was passed ends it',
  input: z.object({}),
  errors: ['IDENTITY_DONE', 'IDENTITY_STEP_MISSING'] as const,
})

/** The identity part of opening an account; can be resumed from any device. */
export const identityContract = defineContract(identityErrors)({
  openingFlow: {
    access: 'user',
    method: 'GET',
    path: '/account/opening',
    summary: 'State of account opening',
    input: z.object({}),
    reply: openingFlowReply,
    errors: [],
  },
  readNotice: {
    ...step,
    path: '/account/opening/notice',
    summary: 'Records that the notice was read and the agreement accepted',
    input: z.object({ agreed: z.literal(true) }),
    errors: [],
  },
  answerTaxpayer: {
    ...step,
    path: '/account/opening/taxpayer',
    summary: 'Records whether the user is a U.S. taxpayer; opening ends for one who is',
    input: z.object({ isTaxResidentUS: z.boolean(), declared: z.literal(true) }),
    errors: closedErrors,
  },
  chooseMethod: {
    ...step,
    path: '/account/opening/method',
    summary: 'Face check, or a deposit instead; with the deposit the papers are asked for again where no photo of the holder is kept',
    input: z.object({ method: z.enum(IDENTITY_METHODS) }),
    errors: [...closedErrors, 'FACE_NEEDS_IDCARD'],
  },
  saveDraft: { ...step, path: '/account/opening/draft', summary: 'Keeps what was typed so far', input: draft, errors: closedErrors },
  pinyin: {
    access: 'user',
    method: 'POST',
    path: '/account/opening/pinyin',
    summary: 'A Chinese name in Latin letters, surname first, as a proposal',
    input: z.object({ chineseName }),
    reply: z.object({ lastName: z.string(), firstName: z.string() }),
    errors: [],
  },
  accountCreate: create('/account/create'),
  accountUpdate: update('/account/update'),
  userCreateAccount: create('/user/createAccount'),
  userUpdateAccount: update('/user/updateAccount'),
})
