import { auditContract } from '../../contract-audit.console.ts'
import { customersContract } from '../../contract-customers.console.ts'
import { consoleApi } from '../kit/api.ts'

export const customersApi = consoleApi({ ...customersContract, reveal: auditContract.reveal, audit: auditContract.audit })
