use super::*;
use crate::testing::{TestFarm, completed};
use gg_common::job::Body;
use gg_common::outcome::Outcome;
use gg_common::profile::Profile;

fn job(dispatcher: &Dispatcher, epoch: u64, turn: u32) -> TurnJob {
    TurnJob {
        version: gg_common::FORMAT_VERSION,
        run: RunId("r".into()),
        agent: AgentId("main".into()),
        epoch,
        turn,
        source: Body::Inline("x".into()),
        profile: Profile::with_everything(Arm::Python),
        tree: None,
        state: Default::default(),
        reply_to: dispatcher.results().to_owned(),
        wall_left_ms: None,
        trace: None,
    }
}

#[tokio::test]
async fn the_first_turn_is_placed_and_later_ones_go_to_the_worker_that_answered() {
    let folder = tempfile::tempdir().expect("tempdir");
    let farm = TestFarm::start(folder.path(), Arc::new(|job| vec![completed(job)])).await;
    let dispatcher = Dispatcher::start(farm.house.queue.clone(), "c1").await.expect("dispatcher");
    for turn in 1..=3 {
        let arrived = dispatcher.run_turn(&job(&dispatcher, 1, turn)).await.expect("result");
        assert_eq!(arrived.result.turn, turn);
        dispatcher.settle(arrived.take().1).await.expect("settle");
    }
    dispatcher.forget(&RunId("r".into()), &AgentId("main".into()));
    dispatcher.run_turn(&job(&dispatcher, 1, 4)).await.expect("result");
    let came_by = farm.came_by.lock().expect("lock").clone();
    assert_eq!(came_by, ["gg.place.python", "gg.worker.w1", "gg.worker.w1", "gg.place.python"]);
    dispatcher.stop().await;
}

#[tokio::test]
async fn results_of_another_epoch_or_turn_and_what_does_not_read_are_dropped() {
    let folder = tempfile::tempdir().expect("tempdir");
    let answer = |job: &TurnJob| {
        let mut stale = completed(job);
        stale.epoch = job.epoch - 1;
        stale.outcome = Outcome::Internal { error_text: "stale".into(), suspect: None };
        let mut earlier = stale.clone();
        (earlier.epoch, earlier.turn) = (job.epoch, job.turn - 1);
        let mut twice = completed(job);
        twice.stderr = "twice".into();
        vec![stale, earlier, completed(job), twice]
    };
    let farm = TestFarm::start(folder.path(), Arc::new(answer)).await;
    let dispatcher = Dispatcher::start(farm.house.queue.clone(), "c1").await.expect("dispatcher");
    farm.queue.publish(dispatcher.results(), 0, b"{not json".to_vec()).await.expect("publish");
    for turn in 2..=3 {
        let arrived = dispatcher.run_turn(&job(&dispatcher, 7, turn)).await.expect("result");
        assert_eq!((arrived.result.epoch, arrived.result.turn), (7, turn));
        assert_eq!((arrived.result.outcome.clone(), arrived.result.stderr.as_str()), (Outcome::Completed, ""));
        dispatcher.settle(arrived.take().1).await.expect("settle");
    }
    dispatcher.stop().await;
}

#[tokio::test]
async fn a_turn_that_nobody_waits_for_any_more_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("tempdir");
    let farm = TestFarm::start(folder.path(), Arc::new(|_| vec![])).await;
    let dispatcher = Dispatcher::start(farm.house.queue.clone(), "c1").await.expect("dispatcher");
    let job = job(&dispatcher, 1, 1);
    let gave_up = tokio::time::timeout(Duration::from_millis(20), dispatcher.run_turn(&job)).await;
    assert!(gave_up.is_err());
    assert!(lock(&dispatcher.state).in_flight.is_empty());
    dispatcher.stop().await;
}

#[tokio::test]
async fn a_missing_queue_and_a_closing_farm_are_told() {
    let queue: Arc<dyn Queue> = Arc::new(gg_common::queue::LocalQueue::default());
    let dispatcher = Dispatcher::start(queue.clone(), "c1").await.expect("dispatcher");
    let error = dispatcher.run_turn(&job(&dispatcher, 1, 1)).await.expect_err("no queue").to_string();
    assert!(error.contains("turn 1") && error.contains("gg.place.python"), "{error}");
    queue.declare(&place_queue(Arm::Python)).await.expect("declare");
    let job = job(&dispatcher, 1, 2);
    let (sent, _) = tokio::join!(dispatcher.run_turn(&job), async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        queue.close(dispatcher.results()).await.expect("close");
    });
    assert!(matches!(sent, Err(DispatchError::Closed { turn: 2 })));
}
