/** What a buyer has bought, as the marketplace tells it. */
export interface Purchase {
  /** The marketplace's own number of the agreement; tells purchases apart. */
  purchase: string;
  customer: string;
  product: string;
}

/** Asks a marketplace what a registration token stands for. */
export interface MarketplaceResolver {
  /** @throws ConsoleError BAD_MARKETPLACE_TOKEN for a token it does not know, MARKETPLACE_SILENT when it has no answer */
  resolve(token: string): Promise<Purchase>;
}
