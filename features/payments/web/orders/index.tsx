/** The pages of orders, one chunk. */
export { OrderPage } from './order-page.tsx'
export { OrdersPage } from './orders-page.tsx'
