import { agentParameter, type ReadyQuestion, type ViewForm } from '../../../contract/game/event-tables.ts'

export const views = {
  deals: {
    about: 'The purchases with their deliveries, solutions and refunds.',
    columns: {
      match: 'the match',
      line: 'the line of the purchase in the history',
      move: 'the place of the purchase in its address',
      part: 'the line of the purchase among those of its event; null: it has one',
      round: 'the round of the purchase, from 1',
      challenge: 'the number of the challenge in the match',
      seller: 'the player that sold it',
      seller_seat: 'its seat',
      buyer: 'the player that bought it',
      buyer_seat: 'its seat',
      predicate: "the predicate in the challenge's own language",
      kind: '`classic`, `belief` or `secret`',
      price: 'the price in energy',
      material: 'the first digits of the SHA-256 of the raw material; null: none was delivered',
      quality: 'the quality of the solution; null: there was none',
      payoff: 'energy that the buyer was paid for the solution',
      refund: 'energy that the buyer got back because the sale ended early',
      profit: "the buyer's profit in energy, which is the seller's loss; null: the deal was not finished",
      solved_line: 'the line of the solution in the history',
      solved_move: 'the place of the solution in its address',
      solved_part: 'the line of the solution among those of its event; null: it has one',
    },
    sql: `SELECT p.match AS match, p.line AS line, p.move AS move, p.part AS part, p.round AS round,
        p.challenge AS challenge, p.seller AS seller, p.seller_seat AS seller_seat, p.buyer AS buyer,
        p.buyer_seat AS buyer_seat, p.predicate AS predicate, p.kind AS kind, p.price AS price,
        coalesce(s.material, d.material) AS material, s.quality AS quality, s.payoff AS payoff, r.refund AS refund,
        CASE WHEN s.payoff IS NOT NULL OR r.refund IS NOT NULL
          THEN coalesce(s.payoff, 0) + coalesce(r.refund, 0) - p.price END AS profit,
        s.line AS solved_line, s.move AS solved_move, s.part AS solved_part
      FROM purchases AS p
      LEFT JOIN deliveries AS d ON d.match = p.match AND d.challenge = p.challenge
      LEFT JOIN solutions AS s ON s.match = p.match AND s.challenge = p.challenge
      LEFT JOIN refunds AS r ON r.match = p.match AND r.challenge = p.challenge`,
  },
} as const satisfies Readonly<Record<string, ViewForm>>

/** Both sides of all finished deals. */
const sides = `sides AS (
        SELECT match, line, move, part, seller AS agent, buyer AS opponent, 'seller' AS side, predicate, price,
          -profit AS profit
        FROM deals WHERE profit IS NOT NULL
        UNION ALL
        SELECT match, line, move, part, buyer, seller, 'buyer', predicate, price, profit
        FROM deals WHERE profit IS NOT NULL)`

const placeColumns = {
  match: 'the match',
  line: 'the line of the event in the history',
  move: 'the place of the event in its address',
  part: 'the line of the event, where it has several',
} as const

/** The questions about contests of the Specker Challenge Game. */
export const questions = {
  'weakest-predicates': {
    title: 'Weakest predicates',
    about:
      'The profit of each agent with each predicate, as its seller and as its buyer, the greatest loss first; each row leads to the worst of these deals.',
    parameters: agentParameter,
    sql: `WITH ${sides}
      SELECT agent, side, predicate, count(*) AS deals, sum(profit) AS profit, avg(profit) AS mean,
        min(profit) AS worst, match, line, move, part
      FROM sides
      WHERE :agent IS NULL OR agent = :agent
      GROUP BY agent, side, predicate
      ORDER BY profit, agent, side, predicate`,
    columns: {
      agent: 'the agent',
      side: '`seller` or `buyer`',
      predicate: 'the predicate',
      deals: 'number of its finished deals',
      profit: 'its profit with them in energy',
      mean: 'its profit with one of them on average',
      worst: 'its profit with the worst of them',
      ...placeColumns,
    },
    chart: { kind: 'bar', x: 'predicate', y: 'profit', series: 'side' },
  },
  'prices-against-break-even': {
    title: 'Prices against break-even',
    about:
      'The price at which each agent sells a predicate beside the price at which its buyers break even, which is the average payoff of all solutions in the contest.',
    parameters: agentParameter,
    sql: `WITH even AS (
        SELECT predicate, avg(payoff) AS price, count(*) AS solutions
        FROM deals WHERE payoff IS NOT NULL GROUP BY predicate)
      SELECT deals.seller AS agent, deals.predicate AS predicate, count(*) AS deals, avg(deals.price) AS price,
        even.price AS break_even, avg(deals.price) - even.price AS above, even.solutions AS solutions
      FROM deals JOIN even ON even.predicate = deals.predicate
      WHERE :agent IS NULL OR deals.seller = :agent
      GROUP BY deals.seller, deals.predicate
      ORDER BY above, agent, predicate`,
    columns: {
      agent: 'the agent that sells',
      predicate: 'the predicate',
      deals: 'number of its sales',
      price: 'its price on average, in energy',
      break_even: 'the average payoff of a solution, in energy',
      above: 'the price minus that; below 0, its buyers win',
      solutions: 'number of solutions in the average',
    },
    chart: { kind: 'scatter', x: 'break_even', y: 'price', series: 'agent' },
  },
  'accepted-at-a-loss': {
    title: 'Accepted at a loss',
    about: 'The purchases that cost their buyers more than they brought, the greatest loss first.',
    parameters: agentParameter,
    sql: `SELECT match, line, move, part, buyer AS agent, seller AS opponent, predicate, price, quality,
        coalesce(payoff, 0) + coalesce(refund, 0) AS received, -profit AS loss
      FROM deals
      WHERE profit < 0 AND (:agent IS NULL OR buyer = :agent)
      ORDER BY loss DESC, match, challenge`,
    columns: {
      ...placeColumns,
      agent: 'the agent that bought',
      opponent: 'the agent that sold',
      predicate: 'the predicate',
      price: 'the price in energy',
      quality: 'the quality of its solution; null: there was none',
      received: 'energy that it received',
      loss: 'energy that it lost',
    },
    chart: { kind: 'scatter', x: 'price', y: 'received', series: 'agent' },
  },
  'solution-quality': {
    title: 'Solution quality against the best known',
    about:
      'The quality of the solutions of each agent beside the best one that the contest knows for equal raw material, revealed secrets among them, and for the predicate; each row leads to the solution that is furthest below the best for its raw material.',
    parameters: agentParameter,
    sql: `WITH known AS (
        SELECT material, quality FROM solutions
        UNION ALL SELECT d.material, r.quality
        FROM reveals AS r JOIN deliveries AS d ON d.match = r.match AND d.challenge = r.challenge),
      best AS (SELECT material, max(quality) AS quality FROM known GROUP BY material),
      of_predicate AS (SELECT predicate, max(quality) AS quality FROM deals GROUP BY predicate)
      SELECT deals.buyer AS agent, count(*) AS solutions, avg(deals.quality) AS quality,
        avg(best.quality - deals.quality) AS below_best, avg(of_predicate.quality - deals.quality) AS below_predicate,
        max(best.quality - deals.quality) AS furthest, deals.match AS match, deals.solved_line AS line,
        deals.solved_move AS move, deals.solved_part AS part
      FROM deals
      JOIN best ON best.material = deals.material
      JOIN of_predicate ON of_predicate.predicate = deals.predicate
      WHERE deals.quality IS NOT NULL AND (:agent IS NULL OR deals.buyer = :agent)
      GROUP BY deals.buyer
      ORDER BY below_best DESC, agent`,
    columns: {
      agent: 'the agent that solves',
      solutions: 'number of its solutions',
      quality: 'their quality on average',
      below_best: 'how far they are below the best known for equal raw material, on average',
      below_predicate: 'how far they are below the best of their predicate, on average',
      furthest: 'how far the worst one is below the best known for its raw material',
      ...placeColumns,
    },
    chart: { kind: 'bar', x: 'agent', y: 'below_best' },
  },
  'who-buys-from-whom': {
    title: 'Buyers and sellers',
    about: 'The deals of each buyer with each seller by predicate, those with the most energy first.',
    parameters: agentParameter,
    sql: `SELECT buyer, seller, predicate, count(*) AS deals, sum(price) AS energy, sum(profit) AS profit,
        min(match) AS match, line, move, part
      FROM deals
      WHERE :agent IS NULL OR :agent IN (buyer, seller)
      GROUP BY buyer, seller, predicate
      ORDER BY energy DESC, buyer, seller, predicate`,
    columns: {
      buyer: 'the agent that buys',
      seller: 'the agent that sells',
      predicate: 'the predicate',
      deals: 'number of deals',
      energy: 'energy paid for them',
      profit: "the buyer's profit with those that were finished",
      ...placeColumns,
      match: 'the first match with such a deal',
    },
    chart: { kind: 'heat', x: 'seller', y: 'buyer', value: 'deals' },
  },
  'opponent-dependence': {
    title: 'Behaviour that depends on the opponent',
    about:
      'The difference between the prices of an agent with one opponent and its prices for the same predicates with all opponents, the greatest one first; each row leads to the deal that differs most.',
    parameters: agentParameter,
    sql: `WITH ${sides},
      usual AS (
        SELECT agent, side, predicate, avg(price) AS price, count(DISTINCT opponent) AS opponents
        FROM sides GROUP BY agent, side, predicate)
      SELECT sides.agent AS agent, sides.side AS side, sides.opponent AS opponent, count(*) AS deals,
        avg(sides.price) AS price, avg(sides.price - usual.price) AS difference,
        max(abs(sides.price - usual.price)) AS largest, sides.match AS match, sides.line AS line,
        sides.move AS move, sides.part AS part
      FROM sides
      JOIN usual ON usual.agent = sides.agent AND usual.side = sides.side AND usual.predicate = sides.predicate
      WHERE usual.opponents > 1 AND (:agent IS NULL OR sides.agent = :agent)
      GROUP BY sides.agent, sides.side, sides.opponent
      ORDER BY abs(difference) DESC, agent, side, opponent`,
    columns: {
      agent: 'the agent',
      side: '`seller` or `buyer`',
      opponent: 'the other side',
      deals: 'number of finished deals with predicates that the agent also traded with others',
      price: 'their price on average, in energy',
      difference: 'how far it is above the usual price of the agent for the same predicates',
      largest: 'how far one deal is from it at most',
      ...placeColumns,
    },
    chart: { kind: 'heat', x: 'opponent', y: 'agent', value: 'difference' },
  },
} as const satisfies Readonly<Record<string, ReadyQuestion>>
