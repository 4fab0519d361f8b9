import { auditContract } from '../../contract-audit.console.ts'
import { customersContract } from '../../contract-customers.console.ts'
import { createConsoleApi } from '../kit/api.ts'

export const customersApi = createConsoleApi({ ...customersContract, reveal: auditContract.reveal, audit: auditContract.audit })
