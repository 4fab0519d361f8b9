import { accessContract } from '../../contract.console.ts'
import { commandsContract } from '../../contract-commands.console.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { createConsoleApi } from '../kit/api.ts'

export const staffApi = createConsoleApi({ operators: accessContract.operators, rules: commandsContract.rules, renewInvite: commandsContract.renewInvite })
export type OperatorListRow = ReplyOf<(typeof accessContract)['operators']>['operators'][number]
