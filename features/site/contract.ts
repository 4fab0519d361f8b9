import { z } from 'zod'
import { defineContract, emptyReply, usdText, eachLangSchema } from '#platform/shared/contract.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { HELP_SLUGS } from './help-articles.ts'

const inEachLang = eachLangSchema(z.string().max(400))

/** A name, or a picture with the name as its text: a path of this site or a data URL. `sample` as for reviews. */
export const logo = z.object({
  name: z.string().min(1).max(60),
  image: z
    .string()
    .max(20_000)
    .regex(/^(\/(?!\/)|data:image\/)/)
    .optional(),
  sample: z.boolean().default(false),
})
export type Logo = z.output<typeof logo>

/** A customer's review. `sample` marks invented ones, for the demo. */
export const review = z.object({ name: z.string().min(1).max(60), role: inEachLang.optional(), text: inEachLang, sample: z.boolean().default(false) })
export type Review = z.output<typeof review>

/** Feedback of a reader on an article: helpful or not, and the reason. */
export const HELP_ANSWERS = ['yes', 'no', 'unclear', 'wrong', 'missing'] as const
export type HelpAnswer = (typeof HELP_ANSWERS)[number]

export const siteContract = defineContract(commonErrors)({
  siteInfo: {
    method: 'GET',
    path: '/common/site',
    access: 'public',
    summary: 'Content of the public pages that operators choose',
    input: z.object({}),
    reply: z.object({
      landing: z.enum(['api', 'member']),
      feePercent: z.string(),
      minRecharge: usdText,
      maxRecharge: usdText,
      logos: z.array(logo),
      reviews: z.array(review),
    }),
    errors: [],
  },
  siteFigures: {
    method: 'GET',
    path: '/common/figures',
    access: 'public',
    summary: 'Figures of settings that terms, privacy policy and agreement quote, by name',
    input: z.object({}),
    reply: z.object({ figures: z.record(z.string(), z.string()) }),
    errors: [],
  },
  helpVote: {
    method: 'POST',
    path: '/common/helpVote',
    access: 'public',
    summary: 'Records whether a help article helped; counted by day, nothing about the reader is kept',
    input: z.object({ article: z.enum(HELP_SLUGS as [string, ...string[]]), answer: z.enum(HELP_ANSWERS) }),
    reply: emptyReply,
    errors: ['TOO_MANY'],
  },
})
export type SiteInfo = ReplyOf<(typeof siteContract)['siteInfo']>
