import type { InjectedFault } from './fault.ts'
import { accountFaults } from './list/account.ts'
import { gatewayFaults } from './list/gateway.ts'
import { otherFaults } from './list/others.ts'
import { paymentsFaults } from './list/payments.ts'
import { walletFaults } from './list/wallet.ts'

/** Forty mistakes over all features. A change to a text that a fault quotes must update the fault. */
export const injectedFaults: readonly InjectedFault[] = [...walletFaults, ...paymentsFaults, ...gatewayFaults, ...accountFaults, ...otherFaults]
