export { startStripePayments } from './payments.ts'
export { STRIPE_FIGURES, STRIPE_PAYMENT_RULES } from './rules.ts'
