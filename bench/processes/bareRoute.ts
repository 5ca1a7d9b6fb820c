import Router from '@koa/router';
import Koa from 'koa';

/** The control of reads: a Koa route that answers a constant. Says its port, and serves until it is killed. */
const router = new Router();
const constant = {
  id: '3b241101-e2bb-4255-8caf-4136c566a962',
  type: 'card',
  data: { number: 'XXXXXXXXXXXX4242' },
};
router.get('/constant', (context) => {
  context.body = constant;
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
