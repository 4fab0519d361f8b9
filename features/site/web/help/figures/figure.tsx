import type { ComponentType } from 'react'
import { HoldToCharge } from './hold-to-charge.tsx'
import { KeySafety } from './key-safety.tsx'
import { OrderStates } from './order-states.tsx'
import { PaymentLink } from './payment-link.tsx'
import { RequestFlow } from './request-flow.tsx'

/** Figures by their names in articles; a test compares the two. */
const figures: Readonly<Record<string, ComponentType>> = {
  'request-flow': RequestFlow,
  'hold-to-charge': HoldToCharge,
  'order-states': OrderStates,
  'key-safety': KeySafety,
  'payment-link': PaymentLink,
}

export function HelpFigure({ name }: { readonly name: string }) {
  const Drawing = figures[name]
  return Drawing ? <Drawing /> : null
}
