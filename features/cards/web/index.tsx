const loaders = () => import('./loaders.ts')

/** What the shell draws; each is a chunk of its own. This file is part of the first load: the way to the loaders only. */
export const loadCard = async () => (await loaders()).card()
export const loadCardsTile = async () => (await loaders()).tile()
export const loadOpening = async () => (await loaders()).opening()
export const loadBills = async () => (await loaders()).bills()
