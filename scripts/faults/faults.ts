import type { InjectedFault } from './fault.ts'
import { accountFaults } from './list/account.ts'
import { gatewayFaults } from './list/gateway.ts'
import { otherFaults } from './list/others.ts'
import { paymentsFaults } from './list/payments.ts'
import { walletFaults } from './list/wallet.ts'

/** Forty mistakes over all features. Who changes a text that one of them names brings the fault along. */
export const injectedFaults: readonly InjectedFault[] = [...walletFaults, ...paymentsFaults, ...gatewayFaults, ...accountFaults, ...otherFaults]
