export { CardPage } from './card-page.tsx'
export { SelectCardPage } from './select-card.tsx'
