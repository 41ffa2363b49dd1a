use super::{Pace, SingleFlight};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{Instant, advance, sleep};

const SECOND: Duration = Duration::from_secs(1);

/// A holder whose values are numbered, and what is known of its computations.
#[derive(Clone)]
struct Given {
    flight: Arc<SingleFlight<usize>>,
    begun: Arc<AtomicUsize>,
    at_once: Arc<AtomicUsize>,
    most_at_once: Arc<AtomicUsize>,
    takes: Duration,
}

fn computing_for(takes: Duration) -> Given {
    let flight = Arc::new(SingleFlight::new(Pace { every: SECOND, oldest: 2 * SECOND }));
    Given { flight, begun: Arc::default(), at_once: Arc::default(), most_at_once: Arc::default(), takes }
}

impl Given {
    async fn get(&self) -> Option<usize> {
        let one = self.clone();
        let value = self.flight.get(|| async move {
            let number = one.begun.fetch_add(1, Ordering::SeqCst) + 1;
            let now = one.at_once.fetch_add(1, Ordering::SeqCst) + 1;
            one.most_at_once.fetch_max(now, Ordering::SeqCst);
            sleep(one.takes).await;
            one.at_once.fetch_sub(1, Ordering::SeqCst);
            number
        });
        value.await.map(|value| *value)
    }

    fn begun(&self) -> usize {
        self.begun.load(Ordering::SeqCst)
    }
}

#[tokio::test(start_paused = true)]
async fn however_many_ask_one_is_computed_at_a_time_and_one_in_a_second() {
    for takes in [Duration::ZERO, SECOND / 10, 3 * SECOND / 2, 5 * SECOND] {
        let given = computing_for(takes);
        let start = Instant::now();
        let callers = (0..200_u32).map(|caller| {
            let given = given.clone();
            tokio::spawn(async move {
                sleep(Duration::from_millis(u64::from(caller % 7))).await;
                while start.elapsed() < 10 * SECOND {
                    assert!(given.get().await.is_some());
                    sleep(Duration::from_millis(20)).await;
                }
            })
        });
        for caller in callers.collect::<Vec<_>>() {
            caller.await.unwrap();
        }
        assert_eq!(given.most_at_once.load(Ordering::SeqCst), 1, "{takes:?}");
        let seconds = usize::try_from(start.elapsed().as_secs()).unwrap();
        assert!((2..=seconds + 1).contains(&given.begun()), "{takes:?}: {} in {seconds} s", given.begun());
    }
}

#[tokio::test(start_paused = true)]
async fn within_the_second_the_same_is_given_and_after_it_the_stale_one_while_the_next_is_made() {
    let given = computing_for(SECOND / 2);
    assert_eq!(given.get().await, Some(1));
    advance(SECOND / 4).await;
    assert_eq!((given.get().await, given.begun()), (Some(1), 1));
    advance(SECOND / 2).await;
    let asked = Instant::now();
    assert_eq!(given.get().await, Some(1), "nobody waits while what is there is young enough");
    assert_eq!(asked.elapsed(), Duration::ZERO);
    sleep(SECOND / 2 + Duration::from_millis(1)).await;
    assert_eq!((given.get().await, given.begun()), (Some(2), 2));
}

#[tokio::test(start_paused = true)]
async fn what_is_too_old_is_not_given_away() {
    let given = computing_for(SECOND / 2);
    assert_eq!(given.get().await, Some(1));
    advance(600 * SECOND).await;
    let asked = Instant::now();
    assert_eq!(given.get().await, Some(2));
    assert!(asked.elapsed() >= SECOND / 2, "it waited for the new one");
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_goes_away_does_not_take_the_computation_along() {
    let given = computing_for(SECOND / 2);
    let asking = {
        let given = given.clone();
        tokio::spawn(async move { given.get().await })
    };
    sleep(SECOND / 4).await;
    asking.abort();
    assert_eq!((given.get().await, given.begun()), (Some(1), 1));
}

#[tokio::test(start_paused = true)]
async fn a_computation_that_panics_is_followed_by_another() {
    let flight: SingleFlight<usize> = SingleFlight::new(Pace { every: SECOND, oldest: 2 * SECOND });
    assert!(flight.get(|| async { panic!("on purpose") }).await.is_none());
    assert!(flight.get(|| async { 1 }).await.is_none(), "not twice within the second");
    advance(SECOND).await;
    assert_eq!(flight.get(|| async { 1 }).await.as_deref(), Some(&1));
    advance(3 * SECOND).await;
    let last = flight.get(|| async { panic!("on purpose") }).await;
    assert_eq!(last.as_deref(), Some(&1), "what is there is better than nothing");
    advance(SECOND).await;
    assert_eq!(flight.get(|| async { 2 }).await.as_deref(), Some(&2));
}

#[tokio::test(start_paused = true)]
async fn a_panic_before_the_first_await_does_not_wedge_it_either() {
    let flight = Arc::new(SingleFlight::<usize>::new(Pace { every: SECOND, oldest: 2 * SECOND }));
    let one = flight.clone();
    let panicked = tokio::spawn(async move {
        one.get(|| -> std::future::Ready<usize> { panic!("on purpose") }).await;
    });
    assert!(panicked.await.unwrap_err().is_panic());
    advance(SECOND).await;
    assert_eq!(flight.get(|| async { 1 }).await.as_deref(), Some(&1));
}
