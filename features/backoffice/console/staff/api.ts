import { accessContract } from '../../contract.console.ts'
import { commandsContract } from '../../contract-commands.console.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { consoleApi } from '../kit/api.ts'

export const staffApi = consoleApi({ operators: accessContract.operators, rules: commandsContract.rules, renewInvite: commandsContract.renewInvite })
export type Operator = ReplyOf<(typeof accessContract)['operators']>['operators'][number]
