import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { languageChoice, themeChoice } from './contract.ts'
import { email, invoiceLine, invoiceName, shortLine } from './contract-fields.ts'
import { accountErrors } from './errors.ts'

/** Kept for the invoice form; all or nothing (product.md 1.5). */
export const invoiceDetails = z.object({
  userName: invoiceName,
  email: email.max(50),
  country: invoiceLine,
  state: invoiceLine,
  city: invoiceLine,
  addressLine: invoiceLine,
  postalCode: invoiceLine,
})
export type InvoiceDetails = z.output<typeof invoiceDetails>

/** Mail choices of the user. Mails about account security and replies to the user's own actions are always sent. */
export const mailChoices = z.object({ loginAlert: z.boolean(), receipt: z.boolean(), balanceAlert: z.boolean(), productNews: z.boolean() })
export type MailChoices = z.output<typeof mailChoices>
/** Defaults until the user chooses. */
export const DEFAULT_CHOICES: MailChoices = { loginAlert: true, receipt: true, balanceAlert: true, productNews: false }

export const profileContract = defineContract({ ...commonErrors, ...accountErrors })({
  updateUserInfo: {
    method: 'POST',
    path: '/user/updateUserInfo',
    access: 'user',
    summary: 'Changes what is given; a name given as null is cleared',
    input: z.object({
      name: shortLine.nullable().optional(),
      firstName: shortLine.nullable().optional(),
      lastName: shortLine.nullable().optional(),
      language: languageChoice.optional(),
      theme: themeChoice.optional(),
    }),
    reply: emptyReply,
    errors: [],
  },
  preferences: {
    method: 'GET',
    path: '/user/preferences',
    access: 'user',
    summary: 'Invoice details and mail choices',
    input: emptyReply,
    reply: z.object({ invoice: invoiceDetails.nullable(), mails: mailChoices }),
    errors: [],
  },
  updateInvoiceDetails: {
    method: 'POST',
    path: '/user/updateInvoiceDetails',
    access: 'user',
    summary: 'Keeps the details for the invoice form',
    input: invoiceDetails,
    reply: emptyReply,
    errors: [],
  },
  updateMailChoices: {
    method: 'POST',
    path: '/user/updateMailChoices',
    access: 'user',
    summary: 'Changes the choices that are given',
    input: mailChoices.partial(),
    reply: mailChoices,
    errors: [],
  },
  isGradual: {
    method: 'GET',
    path: '/user/isGradual',
    access: 'user',
    summary: 'Returns whether the user is in the gradual-release group',
    input: emptyReply,
    reply: z.object({ isGradual: z.boolean() }),
    errors: [],
  },
  useTips: {
    method: 'POST',
    path: '/user/useTips',
    access: 'user',
    summary: 'Notes a one-time tip as seen, if one is named, and says whether this was the first time; all that were seen',
    input: z.object({
      tip: z
        .string()
        .regex(/^[\w.-]{1,60}$/)
        .optional(),
    }),
    reply: z.object({ seen: z.array(z.string()), isFirst: z.boolean() }),
    errors: [],
  },
})
