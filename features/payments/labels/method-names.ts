import type { paymentTexts } from '../texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type MethodKey = TextKeyOf<typeof paymentTexts>
const METHODS: Readonly<Record<0 | 1 | 2 | 3 | 4 | 5, MethodKey>> = { 0: 'method_0', 1: 'method_1', 2: 'method_2', 3: 'method_3', 4: 'method_4', 5: 'method_5' }

/** Text key of a payment method's name, by its API number (product.md 2.3); 0 is the balance. */
export const methodTextKey = (transactionType: number): MethodKey => METHODS[transactionType as 0]
