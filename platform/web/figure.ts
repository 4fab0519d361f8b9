import type { Figure } from '#platform/shared/figures.ts'
import { site } from './site.ts'

/**
 * Marks an element that shows an amount of the customer's money with the name of its figure, so that robots compare it with the
 * books. Never an id. Not in production.
 */
export function markFigure(figure: Figure | undefined): { readonly 'data-figure'?: string } {
  return figure === undefined || site.stage === 'production' ? {} : { 'data-figure': figure }
}
