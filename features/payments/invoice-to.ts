import { z } from 'zod'

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}\p{Cf}]*$/u)

/** Whom an invoice is made out to at the desk: what the form of customers does not take, such as a company's name with figures, and no address. */
export const deskInvoiceTo = z.object({
  userName: line(120).min(1),
  email: z.email().max(120),
  ...{
    country: line(60).default(''),
    state: line(60).default(''),
    city: line(60).default(''),
    addressLine: line(160).default(''),
    postalCode: line(20).default(''),
  },
})

/** What a customer writes to the desk, and the desk to a customer. */
export const deskNote = line(300)
