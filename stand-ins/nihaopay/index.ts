export { startNihaopay } from './payments.ts'
export { NIHAOPAY_FIGURES, NIHAOPAY_RULES } from './rules.ts'
