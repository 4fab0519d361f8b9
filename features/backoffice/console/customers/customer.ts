import type { ReplyOf } from '#platform/shared/contract.ts'
import type { customersContract } from '../../contract-customers.console.ts'

export type Customer = ReplyOf<typeof customersContract.customer>
